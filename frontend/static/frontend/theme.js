/* Before the page is painted: what the reader chose here. */
try {
  const chosen = localStorage.getItem("theme")
  if (localStorage.getItem("suits") === "four") document.documentElement.dataset.suits = "four"
  if (localStorage.getItem("keys") === "large") document.documentElement.dataset.keys = "large"
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen
} catch { }
/* A language chosen in the bar is kept: an address that names none comes in it. */
addEventListener("click", ({ target }) => {
  const chosen = target.closest?.(".languages a[hreflang]")
  if (chosen) document.cookie = `django_language=${chosen.hreflang}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`
})
