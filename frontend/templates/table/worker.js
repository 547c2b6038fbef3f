// Keeps the tables’ pages, and what they need, where there is no network.
const CACHE = "etui-table-2", STATIC = "{{ static }}", VERSION = "{{ version }}", AWAY = {{ away|safe }}
const SCOPE = new URL(self.registration.scope).pathname
// after which a page is shown as it was the last time: in a cellar a network may be there, and bring nothing
const PATIENCE_MILLISECONDS = 2500
const isPart = (pathname) => pathname.startsWith(STATIC), isCurrent = (pathname) => pathname.startsWith(`${STATIC}${VERSION}/`)

self.addEventListener("install", () => self.skipWaiting())
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("etui-table-") && name !== CACHE) await caches.delete(name)
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
})()))

/** The page tells what it has loaded before it was looked after; what an older version needed can go then. */
self.addEventListener("message", ({ data }) => { if (Array.isArray(data?.keep)) keep(data.keep) })

async function keep(addresses) {
  const cache = await caches.open(CACHE), of = (address) => new URL(address, self.location).pathname
  await Promise.allSettled(addresses.map(async (address) => isCurrent(of(address)) && await cache.match(address) || cache.add(address)))
  if (!addresses.some((address) => isCurrent(of(address)))) return
  for (const { url } of await cache.keys()) if (isPart(of(url)) && !isCurrent(of(url))) await cache.delete(url)
}

self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== self.location.origin || pathname.endsWith("/live/")) return
  if (isCurrent(pathname)) event.respondWith(kept(request))
  else if (isPart(pathname) || pathname.startsWith(SCOPE)) event.respondWith(fresh(request, event.preloadResponse))
})

/** A part whose address says its version is never another one. */
const kept = async (request) => await (await caches.open(CACHE)).match(request, { ignoreVary: true }) ?? asked(request)

/** From the network, which the browser asks for a page while it wakes this worker; where that is away, or brings
 *  nothing for too long, as it was the last time. */
async function fresh(request, preloaded) {
  const coming = asked(request, preloaded)
  coming.catch(() => {})
  const before = await (await caches.open(CACHE)).match(request, { ignoreVary: true })
  if (!before) return request.mode === "navigate" ? coming.catch(() => away(new URL(request.url).pathname)) : coming
  const late = request.mode === "navigate" ? [new Promise((done) => setTimeout(done, PATIENCE_MILLISECONDS, before))] : []
  return Promise.race([coming.catch(() => before), ...late])
}

async function asked(request, preloaded) {
  const response = await preloaded ?? await fetch(request)
  if (response.ok) (await caches.open(CACHE)).put(request, response.clone()).catch(() => {})
  return response
}

/** Where there is neither a network nor the page as it was: a page that says so, and leads to what is kept. */
function away(pathname) {
  const [home] = pathname.slice(SCOPE.length).split("/"), [, board] = pathname.match(/\/boards\/(\d+)\//) ?? []
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'" }
  return new Response(AWAY.replace("{home}", `${SCOPE}${home}/${board ? `#board-${board}` : ""}`), { headers })
}
