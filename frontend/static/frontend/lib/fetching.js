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

/** The page that answers a form, sent as its button sends it, as a document; what is wrong with it is told there. */
export async function sendForm(form, submitter, signal) {
  const body = new FormData(form)
  body.append(submitter.name, submitter.value)
  const response = await fetch(form.action, { method: "POST", body, signal, headers: { Accept: "text/html" } })
  if (response.redirected || ![200, 400, 409].includes(response.status)) throw new Error(`${form.action}: ${response.status}`)
  return new DOMParser().parseFromString(await response.text(), "text/html")
}
