import Database from 'better-sqlite3'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { paths } from '#lib/paths.ts'
import type { RunningShop } from '../tests/support/server.ts'
import { call, logIn, quantile, readUsage, withShop, type Figures } from './shop.ts'

const PRODUCTS = 1000
const ROUNDS = 7
const CHECK_INTERVAL_MS = 10
const TIMEOUT_MS = 120_000
const PRODUCT = 'mysore-pak'

/** With 1,000 products: from the API reply to the served page, as an owner saves. */
export function publish(root: string): Promise<Figures> {
  return withShop(root, { prepare: addProducts }, async shop => {
    const { token } = await logIn(shop.url)
    // The new products, and the start of the renderer.
    const first = await changePhone(shop, token, 1)
    await changePrice(shop, token)
    const before = readUsage(shop.pid).cpuMs
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await changePrice(shop, token))
    const cpuMs = (readUsage(shop.pid).cpuMs - before) / ROUNDS
    const allPages = await changePhone(shop, token, 2)
    const cpuOfAll = readUsage(shop.pid).cpuMs - before - ROUNDS * cpuMs
    return {
      'publish of new products, s': first / 1000,
      'price change, s (≤ 1)': quantile(rounds) / 1000,
      'price change, CPU ms of server and renderer': cpuMs,
      'phone number on all pages, s (≤ 6)': allPages / 1000,
      'phone number on all pages, CPU ms': cpuOfAll
    }
  })
}

function addProducts(dataDir: string): void {
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

async function changePrice(shop: RunningShop, token: string): Promise<number> {
  const path = `/admin/products/${PRODUCT}`
  const { version, price } = await call<{ version: number; price: number }>(shop.url, path, {
    token
  })
  const body = { version, price: price + 1 }
  await call(shop.url, path, { token, method: 'PATCH', body })
  return waitForPage(shop, `"price":"${body.price.toFixed(2)}"`)
}

async function changePhone(shop: RunningShop, token: string, digit: number): Promise<number> {
  const phone = `+91 98400 1234${digit}`
  const path = '/admin/settings/shop'
  type Section = { value: object; version: number }
  const { value, version } = await call<Section>(shop.url, path, { token })
  const body = { value: { ...value, phone }, version }
  await call(shop.url, path, { token, method: 'PUT', body })
  return waitForPage(shop, phone)
}

/** All pages are switched at once, so that one tells when all are served. */
async function waitForPage({ url }: RunningShop, text: string): Promise<number> {
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
