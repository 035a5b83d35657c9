import Database from 'better-sqlite3'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { paths } from '#lib/paths.ts'
import {
  freePort,
  removeFolder,
  startShop,
  temporaryFolder,
  type RunningShop
} from '../tests/support/server.ts'
import type { Job } from './load.ts'
import {
  addBuyers,
  call,
  logIn,
  quantile,
  readUsage,
  runLoad,
  startProgram,
  withShop,
  type Figures
} from './shop.ts'

const IDLE_MS = 10_000
const CONNECTIONS = 16
const REQUESTS = 20_000
const WARM_UP = 3000
const CHECKOUTS = 1000
const FIRST_CHECKOUTS = 200
/** So many that none reaches the limit of its account. */
const BUYERS = 400
const COMPRESSED = { 'accept-encoding': 'br, gzip' }
const BARE_SERVER = `const page = require('fs').readFileSync(process.argv[1])
require('http').createServer((_, reply) => reply.end(page))
  .listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))`

export async function start(root: string): Promise<Figures> {
  const dataDir = temporaryFolder()
  try {
    const first = await startShop({ root, dataDir })
    await wait(IDLE_MS)
    await first.stop()
    const later = await startShop({ root, dataDir })
    await wait(IDLE_MS)
    const { megabytes } = readUsage(later.pid)
    await later.stop()
    return {
      'first start until the home page is served, s (≤ 60)': first.startupMs / 1000,
      'later start, s (≤ 3)': later.startupMs / 1000,
      'memory with child processes 10 s later, MB (≤ 150)': megabytes
    }
  } finally {
    removeFolder(dataDir)
  }
}

/** CPU time, because requests/s vary with the load of the machine. */
export function requests(root: string): Promise<Figures> {
  return withShop(root, {}, async ({ url, pid, dataDir }) => {
    const list = `${url}/api/products`
    const { headers } = await fetch(list, { headers: COMPRESSED })
    const unchanged = { ...COMPRESSED, 'if-none-match': headers.get('etag') ?? '' }
    const page = await request(url, { headers: COMPRESSED })
    const file = join(dataDir, 'page')
    writeFileSync(file, Buffer.from(await page.body.arrayBuffer()))
    const port = await freePort()
    const bare = await startProgram(['-e', BARE_SERVER, file, String(port)], /ready/)
    const [bareMs, homeMs] = [
      await measure(bare.pid, { url: `http://127.0.0.1:${port}` }),
      await measure(pid, { url })
    ]
    bare.stop()
    return {
      'GET /, CPU ms': homeMs,
      'node:http with the same page, CPU ms': bareMs,
      'node:http ÷ GET / (≥ 0.4)': bareMs / homeMs,
      'GET /products/{id}, CPU ms (≤ 0.13)': await measure(pid, { url: `${list}/mysore-pak` }),
      'GET /products, 304, CPU ms (≤ 0.13)': await measure(pid, {
        url: list,
        headers: unchanged,
        status: 304
      })
    }
  })
}

async function measure(pid: number, job: Pick<Job, 'url' | 'status' | 'headers'>) {
  const load = { headers: COMPRESSED, connections: CONNECTIONS, ...job }
  await runLoad({ ...load, count: WARM_UP })
  const before = readUsage(pid).cpuMs
  await runLoad({ ...load, count: REQUESTS })
  return (readUsage(pid).cpuMs - before) / REQUESTS
}

/** The payment sandbox runs as a process of its own, whose CPU time does not count. */
export async function checkout(root: string): Promise<Figures> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const data = temporaryFolder()
  const webhook = `http://127.0.0.1:${port}/api/payments/razorpay-webhook`
  const options = ['--port', String(sandboxPort), '--data', data, '--webhook-url', webhook]
  const program = ['--import', 'tsx', 'sandbox/main.ts', ...options, '--no-sync']
  const sandbox = await startProgram(program, /CHECKOUT_URL=\S+\s/)
  const keys = [...sandbox.output.matchAll(/(RAZORPAY_\w+)=(\S+)/g)]
  const env = Object.fromEntries(keys.map(([, name = '', value = '']) => [name, value]))
  let tokens: string[] = []
  const prepare = (dataDir: string) => void (tokens = addBuyers(dataDir, BUYERS))
  const settings = { port, env: { ...env, TRUST_PROXY: '1' }, args: ['--api-only'], prepare }
  try {
    return await withShop(root, settings, async ({ url, pid }) => {
      const provider = env['RAZORPAY_API_BASE'] ?? ''
      const job = { shop: `${url}/api`, provider, tokens, connections: CONNECTIONS }
      await runLoad({ ...job, count: FIRST_CHECKOUTS })
      const before = readUsage(pid).cpuMs
      const { seconds, latenciesMs } = await runLoad({ ...job, count: CHECKOUTS })
      // Includes the work for the last webhooks.
      await wait(2000)
      const { cpuMs, megabytes } = readUsage(pid)
      return {
        'checkout, CPU ms (≤ 4)': (cpuMs - before) / CHECKOUTS,
        'checkouts/s (≥ 100)': CHECKOUTS / seconds,
        'median checkout, ms': quantile(latenciesMs),
        'slowest 1 %, ms': quantile(latenciesMs, 0.99),
        'memory, MB': megabytes
      }
    })
  } finally {
    sandbox.stop()
    removeFolder(data)
  }
}

const PRODUCTS = 1000
const PRICE_ROUNDS = 7
const CHECK_INTERVAL_MS = 10
const TIMEOUT_MS = 120_000
const PRODUCT = 'mysore-pak'

/** With 1,000 products: from the API reply to the served page, as an owner saves. */
export function publish(root: string): Promise<Figures> {
  return withShop(root, { prepare: addProducts }, async shop => {
    const { token } = await logIn(shop.url)
    const first = await changePhone(shop, token, 1)
    await changePrice(shop, token)
    const before = readUsage(shop.pid).cpuMs
    const rounds: number[] = []
    for (let round = 0; round < PRICE_ROUNDS; round++) rounds.push(await changePrice(shop, token))
    const cpuMs = (readUsage(shop.pid).cpuMs - before) / PRICE_ROUNDS
    const allPages = await changePhone(shop, token, 2)
    const cpuOfAll = readUsage(shop.pid).cpuMs - before - PRICE_ROUNDS * cpuMs
    return {
      'publish of new products, s': first / 1000,
      'price change, s (≤ 1)': quantile(rounds) / 1000,
      'price change, CPU ms of server and renderer': cpuMs,
      'phone number on all pages, s (≤ 6)': allPages / 1000,
      'phone number on all pages, CPU ms': cpuOfAll
    }
  })
}

function addProducts(dataDir: string) {
  const database = new Database(join(dataDir, 'shop.db'))
  database.pragma('foreign_keys = OFF')
  for (const [table, key] of [
    ['products', 'id'],
    ['product_pictures', 'product_id']
  ] as const) {
    const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(
      ({ name }) => name
    )
    // A copy is no pack size of the product, because families of a hundred products do not exist.
    const values = columns.map(name =>
      name === key ? `${key} || '-' || n` : /^(creation_key|family_id)$/.test(name) ? 'null' : name
    )
    database.exec(`insert into ${table} (${columns.join()})
      with recursive copies (n) as (select 1 union all select n + 1 from copies
        where n < ${PRODUCTS} / (select count(*) from products where id not glob '*-[0-9]*'))
      select ${values.join()} from ${table}, copies where ${key} not glob '*-[0-9]*'`)
  }
  database.exec("update counters set value = value + 1 where name = 'catalog'")
  database.close()
}

async function changePrice(shop: RunningShop, token: string) {
  const path = `/admin/products/${PRODUCT}`
  const { version, price } = await call<{ version: number; price: number }>(shop.url, path, {
    token
  })
  const body = { version, price: price + 1 }
  await call(shop.url, path, { token, method: 'PATCH', body })
  return waitForPage(shop, `"price":"${body.price.toFixed(2)}"`)
}

async function changePhone(shop: RunningShop, token: string, digit: number) {
  const phone = `+91 98400 1234${digit}`
  const path = '/admin/settings/shop'
  type Section = { value: object; version: number }
  const { value, version } = await call<Section>(shop.url, path, { token })
  const body = { value: { ...value, phone }, version }
  await call(shop.url, path, { token, method: 'PUT', body })
  return waitForPage(shop, phone)
}

/** All pages are switched at once, so that one tells when all are served. */
async function waitForPage({ url }: RunningShop, text: string) {
  const startedAt = performance.now()
  while (!(await (await fetch(`${url}${paths.product(PRODUCT)}`)).text()).includes(text)) {
    if (performance.now() > startedAt + TIMEOUT_MS) throw new Error(`No page has the text ${text}`)
    await wait(CHECK_INTERVAL_MS)
  }
  const elapsedMs = performance.now() - startedAt
  // Until the server has deleted the oldest release.
  await wait(1000)
  return elapsedMs
}
