import { sql } from 'kysely'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { importProducts } from '#server/catalog/import-products.ts'
import { connect } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createWrite, type DataDeps } from '#server/platform/db/write.ts'
import { addToCatalog } from '../tests/support/catalog.ts'
import { removeFolder, temporaryFolder } from '../tests/support/server.ts'
import { median, type Bench } from './table.ts'

const PRODUCTS = 2000
const ORDER_LINES = 110_000
const ROUNDS = 5
const EDITOR = { actor: { _id: 'owner', name: 'Owner' }, isVerified: true }
const NAMES = Array.from({ length: PRODUCTS }, (_, index) => `product-${index}`)

/**
 * Measures the longest turn of the event loop. It contains at least one complete batch with all its
 * statements.
 */
export const imports: Bench = async () => {
  const folder = temporaryFolder()
  const database = connect({ databaseUrl: join(folder, 'shop.db') })
  try {
    await migrate(database)
    const deps = { database, write: createWrite(database), clock: Date.now }
    await fillShop(deps)
    const rounds: Longest[][] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureImport(deps, round))
    const row = (name: string, step: number): (string | number)[] => [
      name,
      median(rounds.map(steps => steps[step]?.cpu ?? NaN)).toFixed(0),
      median(rounds.map(steps => steps[step]?.elapsed ?? NaN)).toFixed(0),
      step === 0 ? '' : '50'
    ]
    return {
      title: `Longest turn of the event loop while ${PRODUCTS} products are imported, median of ${ROUNDS}, SQLite`,
      header: ['', 'CPU ms', 'elapsed ms', 'target (max)'],
      rows: [row('preview', 0), row('import', 1)]
    }
  } finally {
    await database.close()
    removeFolder(folder)
  }
}

interface Longest {
  cpu: number
  elapsed: number
}

async function measureImport(deps: DataDeps, round: number): Promise<Longest[]> {
  const csv = ['Id,Price', ...NAMES.map(name => `${name},${200 + round}`)].join('\n')
  let basis: string | undefined
  const preview = await measureTurns(async () => {
    basis = (await importProducts(deps, EDITOR, { csv })).basis
  })
  const saved = await measureTurns(async () => {
    const { isDone } = await importProducts(deps, EDITOR, {
      csv,
      ...(basis !== undefined && { basis })
    })
    if (!isDone) throw new Error('Nothing was imported')
  })
  return [preview, saved]
}

async function measureTurns(work: () => Promise<void>): Promise<Longest> {
  let isDone = false
  const working = nextTurn()
    .then(work)
    .finally(() => (isDone = true))
  const longest = { cpu: 0, elapsed: 0 }
  while (!isDone) {
    const [cpu, start] = [process.cpuUsage(), performance.now()]
    await nextTurn()
    const { user, system } = process.cpuUsage(cpu)
    longest.cpu = Math.max(longest.cpu, (user + system) / 1000)
    longest.elapsed = Math.max(longest.elapsed, performance.now() - start)
  }
  await working
  return longest
}

/** All lines belong to one order, and each product has been ordered many times. */
async function fillShop({ database, write }: DataDeps): Promise<void> {
  const products = Object.fromEntries(NAMES.map(name => [name, { stock: 5 }]))
  await write(trx => addToCatalog(trx, { products }, Date.now()))
  const { kysely } = database
  const at = new Date().toISOString()
  await sql`insert into users (id, email, name, phone, created_at) values ('u', 'u@example.com', 'U', '', ${at})`.execute(
    kysely
  )
  await sql`insert into orders (id, order_no, user_id, checkout_key, request_hash, payment_state, currency, total, customer,
      address, reserved_until, created_at)
    values ('o', 'P1', 'u', 'k', 'h', 'expired', 'INR', 0, '{}', '{}', ${at}, ${at})`.execute(
    kysely
  )
  await sql`insert into order_lines (order_id, n, product_id, name, category, pack_value, pack_unit, pack_type, quantity,
      list_price, price, total)
    with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${ORDER_LINES})
    select 'o', n, 'product-' || (n % ${sql.lit(PRODUCTS)}), 'Name', 'sweets', 250, 'g', 'pack', 1, 100, 100, 100
    from copies`.execute(kysely)
}
