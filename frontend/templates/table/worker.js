// Keeps the tables’ pages, and what they need, where there is no network. What was asked for last is what is there.
const CACHE = "etui-table-1", STATIC = "{{ static }}"

self.addEventListener("install", () => self.skipWaiting())
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("etui-table-") && name !== CACHE) await caches.delete(name)
  await self.clients.claim()
})()))

/** The page tells what it has loaded before it was looked after. */
self.addEventListener("message", ({ data }) => {
  if (Array.isArray(data?.keep)) caches.open(CACHE).then((cache) => Promise.allSettled(data.keep.map((address) => cache.add(address))))
})

self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== self.location.origin || pathname.endsWith("/live/")) return
  const isOurs = pathname.startsWith(new URL(self.registration.scope).pathname) || pathname.startsWith(STATIC)
  if (isOurs) event.respondWith(fresh(request))
})

/** From the network; where that is away, as it was the last time. */
async function fresh(request) {
  const cache = await caches.open(CACHE)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}
