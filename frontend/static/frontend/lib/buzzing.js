const STROKES_MILLISECONDS = [250, 120, 250]
let told

/** Somebody is to look: the phone buzzes, where it can and its owner has touched the page; a screen reader says `words`. */
export function buzz(words) {
  navigator.vibrate?.(STROKES_MILLISECONDS)
  if (!told) {
    told = Object.assign(document.createElement("p"), { className: "unseen" })
    told.setAttribute("role", "status")
    document.body.append(told)
  }
  told.textContent = ""
  // a region that has just come is heard once it changes
  setTimeout(() => { told.textContent = words })
}
