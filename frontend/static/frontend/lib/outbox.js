/**
 * What a phone has to send, in its own database, in the order in which it was entered: it stays there until the
 * service has it, whatever becomes of the page, the network or the battery. Each has its key, so that nothing counts twice. A
 * `call` is to the director: a table that has called waits already.
 */
const NAME = "etui-table", STORE = "outbox"

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})

export class Outbox {
  #base
  // where the browser gives no database
  #kept = new Map()
  #sending = Promise.resolve(true)

  /** `home`: the address of the table's page, whose entries these are. */
  constructor(home) {
    this.home = home
    this.#base = opened()
  }

  /** The requests of one transaction, made by `ask`; what the last of them answers. None without a database. */
  async #ask(mode, ask) {
    const base = await this.#base
    return base ? ask(base.transaction(STORE, mode).objectStore(STORE)) : undefined
  }

  /** What this table’s page has still to do with, the oldest first. */
  async all() {
    const rows = await this.#ask("readonly", (store) => done(store.getAll())) ?? []
    return [...rows, ...this.#kept.values()].filter((one) => one.home === this.home).sort((one, other) => one.at - other.at)
  }

  /** `before`: the key of what this entry is in place of; one of both is there, whenever the page goes. */
  async put(entry, before = "") {
    const row = { ...entry, home: this.home }
    this.#kept.delete(before)
    try {
      if (await this.#ask("readwrite", (store) => { store.delete(before); return done(store.put(row)) })) return
    } catch { /* such as a phone that is full */ }
    this.#kept.set(row.key, row)
  }

  /** Say more of an entry; not of one that has been taken away meanwhile. */
  async change(key, more) {
    const kept = this.#kept.get(key)
    if (kept) this.#kept.set(key, { ...kept, ...more })
    else await this.#ask("readwrite", async (store) => {
      const row = await done(store.get(key))
      if (row) await done(store.put({ ...row, ...more }))
    })
  }

  async remove(key) {
    this.#kept.delete(key)
    await this.#ask("readwrite", (store) => done(store.delete(key)))
  }

  /** Send what waits, in order, one after another however often it is asked. Whether the network was there; what is
   *  refused stays, with the reason. */
  send() { return this.#sending = this.#sending.then(() => this.#sendAll(), () => this.#sendAll()) }

  async #sendAll() {
    for (const entry of await this.all()) {
      if (entry.state !== "waiting") continue
      const { key, board, sheet, actions, seat, reason, check, call } = entry
      let answer, told
      try {
        answer = await post(`${this.home}${call ? "calls" : "results"}/`, call ?? { key, board, sheet, actions, seat, reason, check })
        told = await answer.json()
      } catch { return false }
      if (answer.status >= 500 || answer.status === 429) return false
      if (answer.ok && call) await this.remove(key)
      else if (answer.ok) await this.change(key, { state: told.state === "kept" ? "late" : "sent", why: told.message })
      else if (told.code !== "round-waits") await this.change(key, { state: "refused", code: told.code, why: told.message ?? String(answer.status), field: told.details?.field })
    }
    return true
  }
}

/** The database; null where the browser gives none. It asks, and waits for no answer, that it is not cleared. */
async function opened() {
  try {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" })
    const base = await done(request)
    navigator.storage?.persist?.().catch(() => {})
    return base
  } catch { return null }
}

export const post = (address, body) => fetch(address, {
  method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", Accept: "application/json" }, credentials: "omit",
})

/** A key of this phone's own; browsers give `randomUUID` on secure pages alone. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  const text = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("")
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-")
}
