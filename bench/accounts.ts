import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import { insertUser } from '#server/accounts/users.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/platform/db/connect.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { findSampleContent, logIn, runLoad } from './processes.ts'
import { benchShop, quantile } from './table.ts'

const CONCURRENCY = 32
/** Enough for the login load, because an account may log in 20 times an hour. */
const SHOPPERS = 500
const REQUESTS = 30_000
const WARM_UP = 5000
const LOGIN_LOAD_MS = 20 * SECOND
const CALL_INTERVAL_MS = 10
const PASSWORD = 'three warm dosas'

export const accounts = benchShop(async shop => {
  const emails = await addShoppers(shop.dataDir)
  const token = await logIn(shop.url, emails[0] ?? '', PASSWORD)
  const me = `${shop.url}/api/auth/me`
  const request = {
    url: me,
    connections: CONCURRENCY,
    headers: { authorization: `Bearer ${token}` }
  }
  await runLoad({ ...request, count: WARM_UP })
  const elapsedMs = await runLoad({ ...request, count: REQUESTS })
  const product = `${shop.url}/api/products/${(await findSampleContent(shop.url)).id}`
  const idleLatencies = await measureLatencies(product, wait(LOGIN_LOAD_MS / 2))
  const loginLoad = loginRepeatedly(shop.url, emails)
  const loadedLatencies = await measureLatencies(product, loginLoad)
  return {
    title: 'Accounts',
    header: ['', 'measured', 'target'],
    rows: [
      [
        `GET /auth/me, ${CONCURRENCY} connections, requests/s`,
        Math.round(REQUESTS / (elapsedMs / SECOND)),
        '≥ 5000'
      ],
      ['GET /products/{id}, p50 / p99 / max, ms', formatPercentiles(idleLatencies), ''],
      [
        `same, during ${CONCURRENCY} concurrent logins, ms`,
        formatPercentiles(loadedLatencies),
        'p99 ≤ 50'
      ],
      ['logins/s in that time', ((await loginLoad) / (LOGIN_LOAD_MS / SECOND)).toFixed(1), '']
    ],
    note: `${idleLatencies.length} and ${loadedLatencies.length} calls, one every ${CALL_INTERVAL_MS} ms, each timed from its scheduled start.`
  }
})

// Inserts accounts directly into the database, because registration through the API is rate
// limited.
async function addShoppers(dataDir: string): Promise<string[]> {
  const database = connect(readConfig({ DATA_DIR: dataDir }))
  const write = createWrite(database)
  const password_hash = await createPasswords().hash(PASSWORD)
  const at = new Date().toISOString()
  const drafts = Array.from({ length: SHOPPERS }, () => {
    const id = randomUUID()
    return {
      id,
      email: `${id}@example.test`,
      name: 'Anita',
      staff: null,
      password_hash,
      verified_at: at,
      created_at: at
    }
  })
  await write(async trx => {
    for (const draft of drafts) await insertUser(trx, draft)
  })
  await database.close()
  return drafts.map(({ email }) => email)
}

async function loginRepeatedly(url: string, emails: readonly string[]): Promise<number> {
  const until = performance.now() + LOGIN_LOAD_MS
  let count = 0
  const repeat = async (): Promise<void> => {
    while (performance.now() < until)
      await logIn(url, emails[count++ % emails.length] ?? '', PASSWORD)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, repeat))
  return count
}

/**
 * Calls the URL at a fixed interval until the promise `stop` settles. Returns the latencies in ms.
 */
async function measureLatencies(url: string, stop: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const calls: Promise<void>[] = []
  const call = async (due: number): Promise<void> => {
    await (await fetch(url)).arrayBuffer()
    times.push(performance.now() - due)
  }
  const startedAt = performance.now()
  let hasStopped = false
  void stop.finally(() => (hasStopped = true)).catch(() => undefined)
  for (let due = startedAt; !hasStopped; due += CALL_INTERVAL_MS) {
    await wait(Math.max(0, due - performance.now()))
    calls.push(call(due))
  }
  await Promise.all(calls)
  return times
}

function formatPercentiles(times: readonly number[]): string {
  return [0.5, 0.99, 1].map(share => quantile(times, share).toFixed(1)).join(' / ')
}
