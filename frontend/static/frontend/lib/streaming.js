const POLL_MILLISECONDS = 15000

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
