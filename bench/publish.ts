import Database from 'better-sqlite3'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { paths } from '#lib/paths.ts'
import {
  removeFolder,
  startShop,
  temporaryFolder,
  type RunningShop
} from '../tests/support/server.ts'
import { logIn, readCpuTime, readPeakMemory } from './processes.ts'
import { median, quantile, type Bench } from './table.ts'

const SIZES = [50, 1000, 10_000]
const ROUNDS = 7
const REQUEST_INTERVAL_MS = 5
/** Long, so that the requests add little to the measured CPU time. */
const PAGE_CHECK_INTERVAL_MS = 50
const BENCH_PHONE = '+91 98400 12345'
const ALL_PAGES_TIMEOUT_MS = 600_000
const ADMIN = { ADMIN_EMAIL: 'meena@shop.example', ADMIN_PASSWORD: 'payasam-12-bowls' }

interface PublishTimings {
  /** Time from the API reply to the new page if the publisher is already running. */
  warmMs: number
  /** Time from the API reply to the new page if the publisher has to start first. */
  coldMs: number
  /** Like `warmMs`, but with the debounce that `npm start` uses. */
  ownerMs: number
  peakMegabytes: number
  firstPublishMs: number
  /** Duration of the first publish if the website's code must be built first. */
  firstBuildMs: number
  p99Ms: number
  cpuMs: number
  /**
   * Time from the API reply to the new pages, as an owner saves a setting that every page shows.
   */
  allPagesMs: number
  allPagesCpuMs: number
}

export const publish: Bench = async dataDir => {
  // This start encodes the pictures. The measurements below use copies of `dataDir` and do not
  // encode them again.
  await (await startShop({ dataDir, env: ADMIN })).stop()
  const measured: PublishTimings[] = []
  for (const size of SIZES) measured.push(await measure(dataDir, size))
  const row = (
    name: string,
    unit: number,
    digits: number,
    key: keyof PublishTimings,
    target: string
  ) => [name, ...measured.map(timings => (timings[key] / unit).toFixed(digits)), target]
  return {
    title: 'Price change: from the API reply to the served page',
    header: ['', ...SIZES.map(size => `${size.toLocaleString('en')} products`), 'target (max)'],
    rows: [
      row('served, s', 1000, 2, 'warmMs', '0.5 / 1 / 3'),
      row('served, publisher has to start first, s', 1000, 2, 'coldMs', ''),
      row('served as an owner saves, s', 1000, 2, 'ownerMs', '1 at 1,000'),
      row('peak memory of the publisher, MB', 1, 0, 'peakMegabytes', '200 / 250 / 500'),
      row('first publish of all pages, s', 1000, 1, 'firstPublishMs', '10 at 1,000'),
      row('same, including the build of a new version, s', 1000, 1, 'firstBuildMs', ''),
      row('API calls during publishing, p99, ms', 1, 0, 'p99Ms', '100'),
      row('CPU time of server and publisher, s', 1000, 2, 'cpuMs', ''),
      row(
        'new phone number served on all pages, s',
        1000,
        1,
        'allPagesMs',
        '6 at 1,000, 60 at 10,000'
      ),
      row('same, CPU time of server and publisher, s', 1000, 1, 'allPagesCpuMs', '')
    ],
    note: `Median of ${ROUNDS} price changes, without debounce except in the row of the owner. CPU time is per price change.`
  }
}

async function measure(original: string, size: number): Promise<PublishTimings> {
  const dataDir = temporaryFolder()
  cpSync(original, dataDir, { recursive: true })
  addProducts(join(dataDir, 'shop.db'), size)
  removeFromDataDir(dataDir, 'code', 'releases', 'current')
  const builder = await startShop({ dataDir, env: ADMIN })
  const firstBuildMs = await waitForFirstPublish(builder)
  await builder.stop()
  removeFromDataDir(dataDir, 'releases', 'current')
  const shop = await startShop({ dataDir, env: ADMIN, args: ['--debounce=0'] })
  try {
    const firstPublishMs = await waitForFirstPublish(shop)
    await wait(5000)
    const token = await logIn(shop.url, ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD)
    const cold = await changePrice(shop, token)
    const cpuBefore = readCpuTime(shop.pid)
    const rounds: Awaited<ReturnType<typeof changePrice>>[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await changePrice(shop, token))
    const cpuMs = (readCpuTime(shop.pid) - cpuBefore) / ROUNDS
    const p99Ms = quantile(
      rounds.flatMap(({ calls }) => calls),
      0.99
    )
    const peakMegabytes = readPeakMemory(shop.pid, 'renderer.mjs')
    const warmMs = median(rounds.map(({ elapsedMs }) => elapsedMs))
    await shop.stop()
    const owner = await measureOwner(dataDir)
    return {
      ...owner,
      warmMs,
      coldMs: cold.elapsedMs,
      peakMegabytes,
      firstPublishMs,
      firstBuildMs,
      p99Ms,
      cpuMs
    }
  } finally {
    await shop.stop()
    removeFolder(dataDir)
  }
}

async function measureOwner(
  dataDir: string
): Promise<Pick<PublishTimings, 'ownerMs' | 'allPagesMs' | 'allPagesCpuMs'>> {
  const shop = await startShop({ dataDir, env: ADMIN })
  try {
    const token = await logIn(shop.url, ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD)
    await changePrice(shop, token)
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push((await changePrice(shop, token)).elapsedMs)
    const cpuBefore = readCpuTime(shop.pid)
    const allPagesMs = await changePhone(shop, token)
    return { ownerMs: median(rounds), allPagesMs, allPagesCpuMs: readCpuTime(shop.pid) - cpuBefore }
  } finally {
    await shop.stop()
  }
}

function addProducts(file: string, size: number): void {
  const database = new Database(file)
  database.pragma('foreign_keys = OFF')
  const columns = (database.pragma('table_info(products)') as { name: string }[]).map(
    ({ name }) => name
  )
  // A copy is no pack size of the product, because families of a hundred products do not exist.
  const emptied = ['creation_key', 'family_id']
  const values = columns.map(name =>
    name === 'id' ? "id || '-' || :copy" : emptied.includes(name) ? 'null' : name
  )
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

async function changePrice(
  { url }: RunningShop,
  token: string
): Promise<{ elapsedMs: number; calls: number[] }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const productUrl = `${url}/api/admin/products/mysore-pak`
  const { version, price } = (await (await fetch(productUrl, { headers })).json()) as AdminProduct
  const newPrice = price + 1
  const body = JSON.stringify({ version, price: newPrice })
  const reply = await fetch(productUrl, { method: 'PATCH', headers, body })
  if (!reply.ok) throw new Error(`Saving the price failed: ${reply.status} ${await reply.text()}`)
  const startedAt = performance.now()
  const calls: number[] = []
  for (;;) {
    const page = await (await fetch(`${url}${paths.product('mysore-pak')}`)).text()
    if (page.includes(`"price":"${newPrice.toFixed(2)}"`)) break
    if (performance.now() > startedAt + 60_000)
      throw new Error('The new price was not served within a minute')
    const requestedAt = performance.now()
    await (await fetch(`${url}/api/products/mysore-pak`)).arrayBuffer()
    calls.push(performance.now() - requestedAt)
    await wait(REQUEST_INTERVAL_MS)
  }
  const elapsedMs = performance.now() - startedAt
  // Waits until the server has deleted the oldest release.
  await wait(1000)
  return { elapsedMs, calls }
}

/**
 * Returns the time from the API reply to a page with the new number, in ms. All pages are switched
 * at once.
 */
async function changePhone({ url }: RunningShop, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sectionUrl = `${url}/api/admin/settings/shop`
  const { value, version } = (await (
    await fetch(sectionUrl, { headers })
  ).json()) as StoredSection<'shop'>
  const body = JSON.stringify({ value: { ...value, phone: BENCH_PHONE }, version })
  const reply = await fetch(sectionUrl, { method: 'PUT', headers, body })
  if (!reply.ok)
    throw new Error(`Saving the phone number failed: ${reply.status} ${await reply.text()}`)
  const startedAt = performance.now()
  while (
    !(await (await fetch(`${url}${paths.product('mysore-pak')}`)).text()).includes(BENCH_PHONE)
  ) {
    if (performance.now() > startedAt + ALL_PAGES_TIMEOUT_MS)
      throw new Error('The new phone number was not served')
    await wait(PAGE_CHECK_INTERVAL_MS)
  }
  return performance.now() - startedAt
}

function removeFromDataDir(dataDir: string, ...names: string[]): void {
  for (const name of names) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** Returns the duration of the first publish in ms. The server prints it in seconds. */
async function waitForFirstPublish({ output }: RunningShop): Promise<number> {
  for (;;) {
    const [, seconds] = /Published [\d,]+ pages in ([\d.]+) s/.exec(output()) ?? []
    if (seconds !== undefined) return 1000 * Number(seconds)
    await wait(100)
  }
}
