/** Shows what is wrong with a form that comes back: unfolds it, and puts the focus into the first wrong field. */
export function showWrong(page = document) {
  const summary = page.querySelector(".summary")
  const form = summary?.closest("form") ?? summary?.parentElement
  const wrong = form?.querySelector("[aria-invalid=true], fieldset.wrong") ?? summary
  for (let box = wrong?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true
  wrong?.focus()
}
