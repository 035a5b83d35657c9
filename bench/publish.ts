import Database from 'better-sqlite3'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '#lib/contract/accounts.ts'
import type { AdminProduct } from '#lib/contract/admin/products.ts'
import { paths } from '#lib/paths.ts'
import { removeFolder, startShop, temporaryFolder, type RunningShop } from '../tests/support/server.ts'
import { cpuOf, peakMemoryOf } from './processes.ts'
import { median, type Bench } from './table.ts'

const SIZES = [50, 1000, 10_000]
const ROUNDS = 7
const REQUEST_INTERVAL_MS = 5
const ADMIN = { ADMIN_EMAIL: 'meena@shop.example', ADMIN_PASSWORD: 'payasam-12-bowls' }
const TARGETS = ['0.5 / 1 / 3', '', '200 / 250 / 500', '10 at 1,000', '', '100', '']

interface PublishTimings {
  /** From the saved price to its page, in ms: publisher running, and publisher starting first. */
  warm: number
  cold: number
  peak: number
  /** First publish of all pages, in ms: with the site code already built, and including that build. */
  full: number
  fullWithBuild: number
  p99: number
  cpu: number
}

export const publish: Bench = async dataDir => {
  // The first start encodes the pictures; the copies reuse them.
  await (await startShop({ dataDir, env: ADMIN })).stop()
  const measured: PublishTimings[] = []
  for (const size of SIZES) measured.push(await measure(dataDir, size))
  const row = (name: string, unit: number, digits: number, key: keyof PublishTimings, target: number) => [
    name,
    ...measured.map(one => (one[key] / unit).toFixed(digits)),
    TARGETS[target] ?? ''
  ]
  return {
    title: 'Price change: from the API reply to the served page',
    head: ['', ...SIZES.map(size => `${size.toLocaleString('en')} products`), 'target (max)'],
    rows: [
      row('served, s', 1000, 2, 'warm', 0),
      row('served, publisher has to start first, s', 1000, 2, 'cold', 1),
      row('peak memory of the publisher, MB', 1, 0, 'peak', 2),
      row('first publish of all pages, s', 1000, 1, 'full', 3),
      row('same, including the build of a new version, s', 1000, 1, 'fullWithBuild', 4),
      row('API calls during publishing, p99, ms', 1, 0, 'p99', 5),
      row('CPU time of server and publisher, s', 1000, 2, 'cpu', 6)
    ],
    note: `Median of ${ROUNDS} price changes, without debounce. CPU time is per price change.`
  }
}

async function measure(original: string, size: number): Promise<PublishTimings> {
  const dataDir = temporaryFolder()
  cpSync(original, dataDir, { recursive: true })
  addProducts(join(dataDir, 'shop.db'), size)
  removeFromDataDir(dataDir, 'code', 'releases', 'current')
  const builder = await startShop({ dataDir, env: ADMIN })
  const fullWithBuild = await waitForFirstPublish(builder).finally(() => builder.stop())
  removeFromDataDir(dataDir, 'releases', 'current')
  const shop = await startShop({ dataDir, env: ADMIN, args: ['--debounce=0'] })
  try {
    const full = await waitForFirstPublish(shop)
    // Wait until the publisher process of the first publish has exited.
    await wait(5000)
    const token = await logIn(shop)
    const cold = await changePrice(shop, token)
    const before = cpuOf(shop.pid)
    const rounds: Awaited<ReturnType<typeof changePrice>>[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await changePrice(shop, token))
    const cpu = (cpuOf(shop.pid) - before) / ROUNDS
    const calls = rounds.flatMap(one => one.calls).sort((a, b) => a - b)
    const p99 = calls[Math.floor(calls.length * 0.99)] ?? NaN
    const peak = peakMemoryOf(shop.pid, 'renderer.mjs')
    return { warm: median(rounds.map(({ took }) => took)), cold: cold.took, peak, full, fullWithBuild, p99, cpu }
  } finally {
    await shop.stop()
    removeFolder(dataDir)
  }
}

function addProducts(file: string, size: number): void {
  const database = new Database(file)
  database.pragma('foreign_keys = OFF')
  const columns = (database.pragma('table_info(products)') as { name: string }[]).map(({ name }) => name)
  const values = columns.map(name => (name === 'id' ? "id || '-' || :copy" : name === 'creation_key' ? 'null' : name))
  const sources = database.prepare('select id from products order by id').all() as { id: string }[]
  const copy = database.prepare(
    `insert into products (${columns.join()}) select ${values.join()} from products where id = :id`
  )
  const picture = database.prepare(
    "insert into product_pictures select product_id || '-' || :copy, position, picture_key from product_pictures where product_id = :id"
  )
  database.transaction(() => {
    for (let count = sources.length; count < size; count++) {
      const source = { id: sources[count % sources.length]?.id, copy: count }
      copy.run(source)
      picture.run(source)
    }
    database.prepare("update counters set value = value + 1 where name = 'catalog'").run()
  })()
  database.close()
}

async function logIn({ url }: RunningShop): Promise<string> {
  const body = JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`Admin login failed with status ${reply.status}`)
  return ((await reply.json()) as Session).token
}

async function changePrice({ url }: RunningShop, token: string): Promise<{ took: number; calls: number[] }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const address = `${url}/api/admin/products/mysore-pak`
  const { version, price } = (await (await fetch(address, { headers })).json()) as AdminProduct
  const next = price + 1
  const body = JSON.stringify({ version, price: next })
  const reply = await fetch(address, { method: 'PATCH', headers, body })
  if (!reply.ok) throw new Error(`Saving the price failed: ${reply.status} ${await reply.text()}`)
  const began = performance.now()
  const calls: number[] = []
  for (;;) {
    const page = await (await fetch(`${url}${paths.product('mysore-pak')}`)).text()
    if (page.includes(`"price":"${next.toFixed(2)}"`)) break
    if (performance.now() > began + 60_000) throw new Error('The new price was not served within a minute')
    const requestedAt = performance.now()
    await (await fetch(`${url}/api/products/mysore-pak`)).arrayBuffer()
    calls.push(performance.now() - requestedAt)
    await wait(REQUEST_INTERVAL_MS)
  }
  const took = performance.now() - began
  // Let the server delete the oldest release before the next round.
  await wait(1000)
  return { took, calls }
}

function removeFromDataDir(dataDir: string, ...names: string[]): void {
  for (const name of names) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** The duration that the server logs, in ms. */
async function waitForFirstPublish({ output: output }: RunningShop): Promise<number> {
  for (;;) {
    const [, seconds] = /Published [\d,]+ pages in ([\d.]+) s/.exec(output()) ?? []
    if (seconds !== undefined) return 1000 * Number(seconds)
    await wait(100)
  }
}
