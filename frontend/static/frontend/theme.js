/* Before the page is painted: the appearance that the reader chose here. A page of the system's own until then. */
try {
  const chosen = localStorage.getItem("theme")
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen
} catch { /* storage is closed: the system decides */ }
