/** The beginning of an evening by the generated TypeScript client: `node journey.js ADDRESS TOKEN`.
 *
 * It is written as a partner would write it: whatever it calls, reads or hands over has the type that the
 * description gives it, and the compiler has seen all of it.
 */

import { strict as assert } from "node:assert"
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import createClient, { type Client } from "openapi-fetch"
import type { components, paths } from "./api.js"

/** Lists leave as CSV and XLSX, too: a program that asks for JSON says so to the compiler. */
type JSONOnly = "application/json" | "application/problem+json"
type Api = Client<paths, JSONOnly>
type Schemas = components["schemas"]
type Told<T> = { data?: T; error?: Schemas["Problem"]; response: Response }

const PLAYERS = Array.from({ length: 9 }, (_, number) => `Joueur ${number + 1}`)

const client = (address: string, token: string): Api =>
  createClient<paths, JSONOnly>({ baseUrl: address, headers: { Authorization: `Bearer ${token}` } })

async function main(address: string, token: string): Promise<void> {
  const api = client(address, token)
  const games = await gamesOf(api)
  assert.ok(games.length > 20 && new Set(games).size === games.length, String(games))

  const tournament = await oneTournament(api)
  const session = await aSession(api, tournament)
  await rename(api, session)

  const [play] = await playsOf(api, session)
  assert.ok(play)
  const path = { id: session }
  const tables = right(await api.POST("/api/v1/sessions/{id}/table-tokens/", { params: { path }, body: {} }))
  const own = tables.find((one) => one.section === play.section && one.table === play.table)
  assert.ok(own)
  await handIn(client(address, own.token), session, play)
  const ranking = right(await api.GET("/api/v1/sessions/{id}/ranking/", { params: { path } }))
  assert.deepEqual(ranking.places.map((place) => place.contestant).sort(), [...PLAYERS].sort())
  console.log("the TypeScript client: all as described")
}

/** The answer, where the service has not refused. */
function right<T>({ data, error }: Told<T>): T {
  assert.ok(error === undefined, `${error?.code}: ${error?.detail}`)
  assert.ok(data !== undefined, "an answer without a body")
  return data
}

/** Sees to it that the service has refused by this problem. */
function refused({ error, response }: Told<unknown>, status: number, code: string): void {
  assert.ok(error, "not refused")
  assert.deepEqual([response.status, error.status, error.code], [status, status, code])
  assert.equal(error.type, `urn:problem-type:etui:${code}`)
  assert.ok(error.title && error.detail)
}

/** The cursor of the page after this one. */
const cursorAfter = ({ next }: { next: string | null }): string | undefined =>
  next === null ? undefined : (new URL(next).searchParams.get("cursor") ?? undefined)

/** The ids of the games, eight to a page; a page names the next by its cursor. */
async function gamesOf(api: Api): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const query = { page_size: 8, ...(cursor === undefined ? {} : { cursor }) }
    const page = right(await api.GET("/api/v1/games/", { params: { query } }))
    assert.ok(page.results.length >= 1 && page.results.length <= 8)
    found.push(...page.results.map((game) => game.id))
    cursor = cursorAfter(page)
  } while (cursor !== undefined)
  return found
}

/** A tournament, which is created once however often that is sent. */
async function oneTournament(api: Api): Promise<number> {
  const header = { "Idempotency-Key": randomUUID() }
  const create = (name: string) => api.POST("/api/v1/tournaments/", { params: { header }, body: { name } })
  const read = (id: number) => api.GET("/api/v1/tournaments/{id}/", { params: { path: { id } } })
  const made = right(await create("Cup"))
  assert.deepEqual(right(await create("Cup")), made)
  refused(await create("Other"), 422, "key-was-used")
  refused(await read(999_999), 404, "not-found")
  assert.equal(right(await read(made.id)).name, "Cup")
  return made.id
}

/** A session with the movement that the service finds best, once the job that sets it up is done. */
async function aSession(api: Api, tournament: number): Promise<number> {
  const query = { game: "comon", contestants: PLAYERS.length, boards: 4 } as const
  const [best] = right(await api.GET("/api/v1/movements/", { params: { query } }))
  assert.ok(best)
  let job = right(
    await api.POST("/api/v1/tournaments/{id}/sessions/", {
      params: { path: { id: tournament }, header: { "Idempotency-Key": randomUUID() } },
      body: {
        name: "Evening",
        game: "comon",
        movement: best.movement,
        boards_per_round: best.boards_per_round,
        contestants: PLAYERS,
        names_may_be_published: true,
      },
    }),
  )
  while (job.state === "waiting" || job.state === "running") {
    await pause(100)
    job = right(await api.GET("/api/v1/jobs/{id}/", { params: { path: { id: job.id } } }))
  }
  assert.equal(job.state, "done", `${job.error?.message}`)
  assert.ok(job.session !== null)
  return job.session
}

/** The session gets a new name from somebody who has seen what it was. */
async function rename(api: Api, id: number): Promise<void> {
  const path = { id }
  const { response } = await api.GET("/api/v1/sessions/{id}/", { params: { path } })
  const seen = response.headers.get("ETag")
  assert.ok(seen)
  const change = (etag: string) =>
    api.PATCH("/api/v1/sessions/{id}/", {
      params: { path, header: { "If-Match": etag } },
      body: { name: "Thursday" },
    })
  refused(await change('"of-yesterday"'), 412, "changed-meanwhile")
  const changed = right(await change(seen))
  assert.deepEqual([changed.id, changed.name], [id, "Thursday"])
}

/** Who plays what where, five to a page. */
async function playsOf(api: Api, id: number): Promise<Schemas["Play"][]> {
  const found: Schemas["Play"][] = []
  let cursor: string | undefined
  do {
    const query = { page_size: 5, ...(cursor === undefined ? {} : { cursor }) }
    const page = right(await api.GET("/api/v1/sessions/{id}/plays/", { params: { path: { id }, query } }))
    found.push(...page.results)
    cursor = cursorAfter(page)
  } while (cursor !== undefined)
  return found
}

/** The table of a play hands in its sheet, which the service then accepts. */
async function handIn(table: Api, id: number, play: Schemas["Play"]): Promise<void> {
  const submit = (number: number) =>
    table.POST("/api/v1/sessions/{id}/submissions/", {
      params: { path: { id } },
      body: {
        table: number,
        board: play.board,
        key: randomUUID(),
        sheet: { outcome: "normal", tricks: [5, 3, 2] },
      },
    })
  refused(await submit(99), 404, "no-such-play")
  let handedIn = right(await submit(play.table))
  while (handedIn.state === "pending") {
    await pause(100)
    const path = { id: handedIn.id }
    handedIn = right(await table.GET("/api/v1/submissions/{id}/", { params: { path } }))
  }
  assert.equal(handedIn.state, "accepted", JSON.stringify(handedIn.refusal))
}

const [address, token] = process.argv.slice(2)
assert.ok(address && token, "node journey.js ADDRESS TOKEN")
await main(address, token)
