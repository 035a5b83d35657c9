import Database from 'better-sqlite3'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '#lib/contract/accounts.ts'
import type { AdminProduct } from '#lib/contract/admin/products.ts'
import { paths } from '#lib/paths.ts'
import { removeFolder, startShop, temporaryFolder, type RunningShop } from '../tests/support/server.ts'
import { cpuOf, peakOf } from './processes.ts'
import { median, type Bench } from './table.ts'

const SIZES = [50, 1000, 10_000]
const ROUNDS = 7
/** Of the API, while a publish is under way. */
const ASK_EVERY = 5
const ADMIN = { ADMIN_EMAIL: 'meena@shop.example', ADMIN_PASSWORD: 'payasam-12-bowls' }
const BOUNDS = ['0.5 / 1 / 3', '', '200 / 250 / 500', '10 at 1,000', '', '100', '']

interface Measured {
  /** From the saved price to its page, in ms: the middle of those with a process that waits, and the one without. */
  warm: number
  cold: number
  peak: number
  /** Of every page, with the code built before, and with building it, in ms. */
  full: number
  whole: number
  p99: number
  cpu: number
}

/** How long a new price takes from the owner to the visitors, with catalogues of three sizes. */
export const publish: Bench = async dataDir => {
  // The pictures are made once.
  await (await startShop({ dataDir, env: ADMIN })).stop()
  const measured: Measured[] = []
  for (const size of SIZES) measured.push(await measure(dataDir, size))
  const row = (name: string, unit: number, digits: number, key: keyof Measured, bound: number) => [
    name,
    ...measured.map(one => (one[key] / unit).toFixed(digits)),
    BOUNDS[bound] ?? ''
  ]
  return {
    title: 'A new price, from the answered call to the served page',
    head: ['', ...SIZES.map(size => `${size.toLocaleString('en')} products`), 'at most'],
    rows: [
      row('served, s', 1000, 2, 'warm', 0),
      row('served when the process has to start, s', 1000, 2, 'cold', 1),
      row('peak memory of the publisher, MB', 1, 0, 'peak', 2),
      row('first publish of all pages, s', 1000, 1, 'full', 3),
      row('the same with building the code, once a version, s', 1000, 1, 'whole', 4),
      row('99 of 100 API calls meanwhile, ms', 1, 0, 'p99', 5),
      row('processor time of shop and publisher, s', 1000, 2, 'cpu', 6)
    ],
    note: `Middle of ${ROUNDS} prices, no delay for changes that travel together. Processor time is per price.`
  }
}

async function measure(original: string, size: number): Promise<Measured> {
  const dataDir = temporaryFolder()
  cpSync(original, dataDir, { recursive: true })
  fillUp(join(dataDir, 'shop.db'), size)
  remove(dataDir, 'code', 'releases', 'current')
  const builder = await startShop({ dataDir, env: ADMIN })
  const whole = await firstPublish(builder).finally(() => builder.stop())
  remove(dataDir, 'releases', 'current')
  const shop = await startShop({ dataDir, env: ADMIN, args: ['--settling=0'] })
  try {
    const full = await firstPublish(shop)
    // The process of the first publish ends; the next price finds none.
    await wait(5000)
    const owner = await logIn(shop)
    const cold = await change(shop, owner)
    const before = cpuOf(shop.pid)
    const rounds: Awaited<ReturnType<typeof change>>[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await change(shop, owner))
    const cpu = (cpuOf(shop.pid) - before) / ROUNDS
    const calls = rounds.flatMap(one => one.calls).sort((a, b) => a - b)
    const p99 = calls[Math.floor(calls.length * 0.99)] ?? NaN
    const peak = peakOf(shop.pid, 'renderer.mjs')
    return { warm: median(rounds.map(({ took }) => took)), cold: cold.took, peak, full, whole, p99, cpu }
  } finally {
    await shop.stop()
    removeFolder(dataDir)
  }
}

/** Copies of the demo's products, with their pictures, until there are so many. */
function fillUp(file: string, size: number): void {
  const database = new Database(file)
  database.pragma('foreign_keys = OFF')
  const columns = (database.pragma('table_info(products)') as { name: string }[]).map(({ name }) => name)
  const values = columns.map(name => (name === 'id' ? "id || '-' || :copy" : name === 'creation_key' ? 'null' : name))
  const models = database.prepare('select id from products order by id').all() as { id: string }[]
  const copy = database.prepare(
    `insert into products (${columns.join()}) select ${values.join()} from products where id = :id`
  )
  const picture = database.prepare(
    "insert into product_pictures select product_id || '-' || :copy, position, picture_key from product_pictures where product_id = :id"
  )
  database.transaction(() => {
    for (let count = models.length; count < size; count++) {
      const model = { id: models[count % models.length]?.id, copy: count }
      copy.run(model)
      picture.run(model)
    }
    database.prepare("update counters set value = value + 1 where name = 'catalog'").run()
  })()
  database.close()
}

async function logIn({ url }: RunningShop): Promise<string> {
  const body = JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`The owner can't log in: ${reply.status}`)
  return ((await reply.json()) as Session).token
}

/** Saves a new price and waits for its page; meanwhile somebody else asks the API. */
async function change({ url }: RunningShop, token: string): Promise<{ took: number; calls: number[] }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const address = `${url}/api/admin/products/mysore-pak`
  const { version, price } = (await (await fetch(address, { headers })).json()) as AdminProduct
  const next = price + 1
  const body = JSON.stringify({ version, price: next })
  const reply = await fetch(address, { method: 'PATCH', headers, body })
  if (!reply.ok) throw new Error(`The price was not saved: ${reply.status} ${await reply.text()}`)
  const began = performance.now()
  const calls: number[] = []
  for (;;) {
    const page = await (await fetch(`${url}${paths.product('mysore-pak')}`)).text()
    if (page.includes(`"price":"${next.toFixed(2)}"`)) break
    if (performance.now() > began + 60_000) throw new Error('The new price was not served within a minute')
    const asked = performance.now()
    await (await fetch(`${url}/api/products/mysore-pak`)).arrayBuffer()
    calls.push(performance.now() - asked)
    await wait(ASK_EVERY)
  }
  const took = performance.now() - began
  // What is left of the oldest release is removed before the next begins.
  await wait(1000)
  return { took, calls }
}

function remove(dataDir: string, ...names: string[]): void {
  for (const name of names) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** How long it took, in ms, as the shop says. */
async function firstPublish({ said }: RunningShop): Promise<number> {
  for (;;) {
    const [, seconds] = /Published [\d,]+ pages in ([\d.]+) s/.exec(said()) ?? []
    if (seconds !== undefined) return 1000 * Number(seconds)
    await wait(100)
  }
}
