import type { Updateable } from 'kysely'
import { toPaise } from '#lib/money.ts'
import type { Write } from '#server/platform/db/write.ts'
import type { Tables, Trx } from '#server/platform/db/tables.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { CATEGORIES, addToCatalog } from './catalog.ts'
import { seededInt } from './random.ts'

/** Returns an integer from 0 to limit - 1. */
export type Random = (limit: number) => number

export function seededRandom(seed: number): Random {
  const int = seededInt(seed)
  return limit => int(0, limit)
}

const ADJECTIVES = ['Crisp', 'Soft', 'Sweet </script>', 'Hot & sour', 'Old "family" recipe']
const STOCKS = [0, 1, 5, 6, 20]
const PICTURES = ['laddu', 'jangiri', 'halwa']

type ProductValues = Updateable<Tables['products']>

let addedCount = 0

/** Makes one to three public changes and returns their descriptions. */
export async function applyRandomChanges(write: Write, random: Random): Promise<string> {
  const chosen = Array.from({ length: 1 + random(3) }, () => CHANGES[random(CHANGES.length)])
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const descriptions: string[] = []
    for (const change of chosen) if (change) descriptions.push(await change(trx, random))
    return descriptions.join(', ')
  })
}

const CHANGES: ((trx: Trx, random: Random) => Promise<string>)[] = [
  (trx, random) => setProduct(trx, random, { price: toPaise(100 * (1 + random(900))) }),
  (trx, random) => setProduct(trx, random, { stock: STOCKS[random(STOCKS.length)] ?? 0 }),
  (trx, random) => setProduct(trx, random, { rating: 30 + random(20) }),
  (trx, random) =>
    setProduct(trx, random, { name: `${ADJECTIVES[random(ADJECTIVES.length)]} ${random(10)}` }),
  (trx, random) =>
    setProduct(trx, random, {
      description: `${ADJECTIVES[random(ADJECTIVES.length)]}, ${random(10)} of them.`
    }),
  (trx, random) =>
    setProduct(trx, random, { category: CATEGORIES[random(CATEGORIES.length)] ?? 'sweets' }),
  (trx, random) =>
    setProduct(trx, random, { hidden_at: random(2) === 0 ? null : '2026-01-01T00:00:00.000Z' }),
  (trx, random) =>
    setProduct(trx, random, { family_id: ['pak', 'mixture', null][random(3)] ?? null }),
  async (trx, random) => {
    const [id, product] = [`collection-${++addedCount}`, await pickId(trx, 'products', random)]
    if (product !== undefined)
      await addToCatalog(trx, { collections: { [id]: [product] } }, Date.now())
    return `added ${id} with ${product}`
  },
  async (trx, random) => {
    const id = `sweet-${++addedCount}`
    const pictures = [PICTURES[random(PICTURES.length)] ?? 'laddu']
    await addToCatalog(
      trx,
      { products: { [id]: { rating: 30 + random(20), pictures } } },
      Date.now()
    )
    return `added ${id}`
  },
  async (trx, random) => {
    const id = await pickId(trx, 'products', random)
    if (id === undefined) return 'no product to delete'
    await trx.deleteFrom('deals').where('product_id', '=', id).execute()
    await trx.deleteFrom('product_pictures').where('product_id', '=', id).execute()
    await trx.deleteFrom('products').where('id', '=', id).execute()
    return `deleted ${id}`
  },
  async (trx, random) => {
    const product = await pickId(trx, 'products', random)
    const id = `deal-${++addedCount}`
    if (product !== undefined)
      await addToCatalog(trx, { deals: { [id]: { product, percent: 1 + random(60) } } }, Date.now())
    return `added ${id} for ${product}`
  },
  async (trx, random) => {
    const id = await pickId(trx, 'deals', random)
    await trx
      .deleteFrom('deals')
      .where('id', '=', id ?? '')
      .execute()
    return `deleted ${id}`
  },
  async (trx, random) => {
    const id = await pickId(trx, 'posts', random)
    const values =
      random(2) === 0
        ? { content: `# ${random(99)}` }
        : { title: `${ADJECTIVES[random(ADJECTIVES.length)]}` }
    await trx
      .updateTable('posts')
      .set(values)
      .where('id', '=', id ?? '')
      .execute()
    return `changed ${id}`
  },
  async (trx, random) => {
    const id = `post-${++addedCount}`
    await addToCatalog(
      trx,
      { posts: { [id]: { created_at: new Date(1e12 + random(1e6)).toISOString() } } },
      Date.now()
    )
    return `added ${id}`
  },
  async (trx, random) => {
    const id = await pickId(trx, 'posts', random)
    await trx
      .deleteFrom('posts')
      .where('id', '=', id ?? '')
      .execute()
    return `deleted ${id}`
  }
]

async function setProduct(trx: Trx, random: Random, values: ProductValues): Promise<string> {
  const id = await pickId(trx, 'products', random)
  if (id !== undefined) await update(trx, id, values)
  return `${id} ${JSON.stringify(values)}`
}

async function update(trx: Trx, id: string, values: ProductValues): Promise<void> {
  await trx.updateTable('products').set(values).where('id', '=', id).execute()
}

async function pickId(
  trx: Trx,
  table: 'products' | 'deals' | 'posts',
  random: Random
): Promise<string | undefined> {
  const rows = await trx.selectFrom(table).select('id').orderBy('id').execute()
  return rows[random(rows.length)]?.id
}
