const POLL_MILLISECONDS = 15000

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

/**
 * Calls `heard(data)` for each `event` of a stream, and `connected(true | false)` when it comes and goes. While it is
 * away, `poll()` is called every few seconds (`every`, in milliseconds) instead. Ends with `signal`.
 */
export function follow(address, { event = "ranking", heard, connected, poll, every = POLL_MILLISECONDS, signal }) {
  let polling = 0
  const source = new EventSource(address)
  const pollUntilBack = () => { polling ||= setInterval(poll, every) }
  const stopPolling = () => { clearInterval(polling); polling = 0 }
  source.addEventListener("open", () => { stopPolling(); connected?.(true) })
  source.addEventListener("error", () => { connected?.(false); pollUntilBack() })
  source.addEventListener(event, ({ data }) => heard(JSON.parse(data)))
  signal.addEventListener("abort", () => { source.close(); stopPolling() })
  pollUntilBack()
}
