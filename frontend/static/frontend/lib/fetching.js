/** The JSON that the server answers. An error carries the `status` of the refusal. */
export async function getJSON(address, signal) {
  const response = await fetch(address, { signal, cache: "no-cache", headers: { Accept: "application/json" } })
  if (!response.ok) throw Object.assign(new Error(`${address}: ${response.status}`), { status: response.status })
  return response.json()
}

/** The page that the server answers, as a document, without the notices that wait for whoever opens it next. An
 * error carries the `status` of the refusal. */
export async function getPage(address, signal) {
  const response = await fetch(address, { signal, cache: "no-cache", headers: { Accept: "text/html", "X-Again": "1" } })
  if (!response.ok) throw Object.assign(new Error(`${address}: ${response.status}`), { status: response.status })
  return new DOMParser().parseFromString(await response.text(), "text/html")
}
