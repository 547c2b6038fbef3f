/** How many tables call, before the title of the page: “(2) Enter slips”, which its tab shows. */
export function callsInTitle(count) {
  const title = document.title.replace(/^\(\d+\) /, "")
  document.title = count ? `(${count}) ${title}` : title
}
