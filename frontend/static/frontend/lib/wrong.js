/** Shows what is wrong with a form that comes back: unfolds whatever is wrong and what tells of it, and puts the
 * focus on what tells of it, of which each line leads to its field. */
export function showWrong(page = document) {
  const summary = page.querySelector(".summary")
  const form = summary?.closest("form") ?? summary?.parentElement
  for (const part of [summary, ...form?.querySelectorAll("[aria-invalid=true], fieldset.wrong") ?? []]) unfold(part)
  summary?.scrollIntoView({ block: "start" })
  summary?.focus({ preventScroll: true })
}

function unfold(part) {
  for (let box = part?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true
}
