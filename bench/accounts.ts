import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { createWrite } from '#server/db/write.ts'
import { createPasswords } from '#server/gateways/passwords.ts'
import { insertUser } from '#server/queries/users.ts'
import { startShop } from '../tests/support/server.ts'
import { firstOf } from './first.ts'
import { runLoad } from './run-load.ts'
import type { Bench } from './table.ts'

const AT_ONCE = 32
const REQUESTS = 30_000
const WARM_UP = 5000
const STORM = 20 * SECOND
/** Between two of the calls that are timed. */
const PACE = 10
const PASSWORD = 'three warm dosas'

/** How quickly sessions are told, and what a storm of logins leaves to everybody else. */
export const accounts: Bench = async dataDir => {
  const shop = await startShop({ dataDir })
  try {
    const emails = await addShoppers(dataDir)
    const { token } = await logIn(shop.url, emails[0] ?? '')
    const me = `${shop.url}/api/auth/me`
    const ask = { url: me, connections: AT_ONCE, headers: { authorization: `Bearer ${token}` } }
    await runLoad({ ...ask, count: WARM_UP })
    const took = await runLoad({ ...ask, count: REQUESTS })
    const product = `${shop.url}/api/products/${(await firstOf(shop.url)).id}`
    const calm = await timed(product, wait(STORM / 2))
    const storm = stormOf(shop.url, emails)
    const during = await timed(product, storm)
    return {
      title: 'Accounts',
      head: ['', 'measured', 'bound'],
      rows: [
        [`GET /auth/me, ${AT_ONCE} at once, requests/s`, Math.round(REQUESTS / (took / SECOND)), '≥ 5000'],
        ['GET /products/{id}, p50 / p99 / most, ms', figures(calm), ''],
        [`the same while ${AT_ONCE} log in at once, ms`, figures(during), 'p99 ≤ 50'],
        ['logins/s meanwhile', ((await storm) / (STORM / SECOND)).toFixed(1), '']
      ],
      note: `Each of ${calm.length} and ${during.length} calls is timed from when it was due, one every ${PACE} ms.`
    }
  } finally {
    await shop.stop()
  }
}

// Behind the counter: the shop registers only so many from one internet address.
async function addShoppers(dataDir: string): Promise<string[]> {
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  const write = createWrite(database)
  const password_hash = await createPasswords().hash(PASSWORD)
  const at = new Date().toISOString()
  const drafts = Array.from({ length: AT_ONCE }, () => {
    const id = randomUUID()
    const role = 'user' as const
    return { id, email: `${id}@example.test`, name: 'Anita', role, password_hash, verified_at: at, created_at: at }
  })
  await write(async trx => {
    for (const draft of drafts) await insertUser(trx, draft)
  })
  await database.close()
  return drafts.map(({ email }) => email)
}

/** Everybody logs in again and again; answers how often that was. */
async function stormOf(url: string, emails: readonly string[]): Promise<number> {
  const until = performance.now() + STORM
  let count = 0
  const again = async (email: string): Promise<void> => {
    while (performance.now() < until) {
      await logIn(url, email)
      count++
    }
  }
  await Promise.all(emails.map(again))
  return count
}

async function logIn(url: string, email: string): Promise<{ token: string }> {
  const reply = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD })
  })
  if (!reply.ok) throw new Error(`A login was answered ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as { token: string }
}

/** Asks at a steady pace until something else has ended; how long each answer took, in ms, the quickest first. */
async function timed(url: string, ending: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const calls: Promise<void>[] = []
  const call = async (due: number): Promise<void> => {
    await (await fetch(url)).arrayBuffer()
    times.push(performance.now() - due)
  }
  const began = performance.now()
  let over = false
  void ending.finally(() => (over = true)).catch(() => undefined)
  for (let due = began; !over; due += PACE) {
    await wait(Math.max(0, due - performance.now()))
    calls.push(call(due))
  }
  await Promise.all(calls)
  return times.toSorted((a, b) => a - b)
}

function figures(times: readonly number[]): string {
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? NaN).toFixed(1)
  return [at(0.5), at(0.99), at(1)].join(' / ')
}
