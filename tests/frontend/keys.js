/** The keys that the entry of a result shows, and what each answers; `name`: as a screen reader says it. */
() => [...document.querySelectorAll("result-entry .asked button, result-entry .asked input")].map((key, at) => {
  key.dataset.at = at
  const tabs = [...document.querySelectorAll("result-entry .answers .tab")]
  return {
    at, place: key.answers?.place ?? null, answer: key.answers ? key.answers.answer : null, window: key.window ?? null,
    adds: key.adds ?? null, tells: key.tells ?? null, turns: key.turns ?? null, opens: key.opens ?? null, takes: key.takes ?? false,
    pressed: key.getAttribute("aria-pressed") === "true", off: key.getAttribute("aria-disabled") === "true",
    width: key.checkVisibility() ? key.getBoundingClientRect().width : Infinity,
    rare: Boolean(key.closest(".rare")), typed: key.localName === "input",
    block: key.answers?.block ?? (tabs.length ? tabs.findIndex((tab) => tab.getAttribute("aria-pressed") === "true") : null),
    name: key.getAttribute("aria-label") ?? (key.labels?.[0] ?? key).textContent.trim(),
  }
})
