/** An element with attributes (a function listens to the event of its name) and children; what is empty is left out. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.flat(3).filter((one) => one !== undefined && one !== null && one !== false && one !== ""))
  return element
}

/** A text with values in its places: filled("Board {n}", { n: 7 }). */
export const filled = (text, values = {}) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)

/** Words of the page, as its template gives them. */
export const wordsOf = (document) => ({ ...document.getElementById("words").dataset })

/** How many wait for somebody, before the title of the page: “(2) Enter slips”, which its tab shows. */
export function countInTitle(count) {
  const title = document.title.replace(/^\(\d+\) /, "")
  document.title = count ? `(${count}) ${title}` : title
}
