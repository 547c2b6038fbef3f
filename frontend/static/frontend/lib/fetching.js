// between two tries of a stream that is away, at least and at most; and by how much each is put off at random
const PAUSE_MILLISECONDS = 15000, LONGEST_MILLISECONDS = 52000, SPREAD_MILLISECONDS = 8000

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
 * away, `poll()` is called now and then instead, and the stream is asked for again: neither within 15 seconds of the time
 * before, and each phone of a hall at moments of its own. While nobody sees the page nothing is asked; `poll()` is called
 * as soon as somebody does. Ends with `signal`.
 */
export function follow(address, { event = "ranking", heard, connected, poll, signal }) {
  let source, polling = 0, trying = 0, tries = 0, triedAt = 0
  const isSeen = () => !document.hidden && !signal.aborted
  const pollUntilBack = () => { polling ||= setTimeout(() => { polling = 0; if (isSeen()) { poll(); pollUntilBack() } }, spread(PAUSE_MILLISECONDS)) }
  const stopPolling = () => { clearTimeout(polling); polling = 0 }
  const open = () => {
    trying = 0
    if (!isSeen()) return
    tries++
    triedAt = Date.now()
    source = new EventSource(address)
    source.addEventListener("open", () => { tries = 0; stopPolling(); connected?.(true) })
    // by itself a browser would come back every few seconds, and after a refusal never again
    source.addEventListener("error", () => { source.close(); source = undefined; connected?.(false); again() })
    source.addEventListener(event, ({ data }) => { if (isSeen()) heard(JSON.parse(data)) })
  }
  const again = () => {
    pollUntilBack()
    const pause = Math.min(PAUSE_MILLISECONDS * 2 ** Math.max(tries - 1, 0), LONGEST_MILLISECONDS)
    trying ||= setTimeout(open, Math.max(triedAt + spread(pause) - Date.now(), spread(0)))
  }
  document.addEventListener("visibilitychange", () => { if (isSeen()) { poll(); if (!source) again() } }, { signal })
  signal.addEventListener("abort", () => { source?.close(); stopPolling(); clearTimeout(trying) })
  open()
  pollUntilBack()
}

const spread = (milliseconds) => milliseconds + Math.random() * SPREAD_MILLISECONDS
