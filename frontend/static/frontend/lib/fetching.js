/** What the server answers, as a value; null when it is what we had (304 is answered by the cache). */
export async function getJSON(address, signal) {
  const response = await fetch(address, { signal, cache: "no-cache", headers: { Accept: "application/json" } })
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return response.json()
}
