const FOLLOWS_MILLISECONDS = 1500
const TYPES = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], dialog[open] *"
export const OFF = "etui-keys-off"

/**
 * The keys of every page, told on the page of them: "/" goes to the search, "?" to that page, "g" and a letter to a
 * place, "u" to the button that undoes what a notice tells of. Where they lead, links in the page's head say, and
 * buttons of the page: <link data-key="g h" href="…">, <button data-key="u">.
 */
export function listenToKeys() {
  let first = "", at = 0
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || localStorage.getItem(OFF)) return
    if (event.target instanceof Element && event.target.matches(TYPES)) return
    const key = first && event.timeStamp - at < FOLLOWS_MILLISECONDS ? `${first} ${event.key}` : event.key
    first = event.key === "g" ? "g" : ""
    at = event.timeStamp
    const field = document.querySelector(key === "/" ? "input[type=search]" : `button[data-key="${CSS.escape(key)}"]`)
    const link = document.querySelector(`link[data-key="${CSS.escape(key)}"]`)
    if (!field && !link) return
    event.preventDefault()
    if (field) field.focus()
    else location.assign(link.href)
  })
}
