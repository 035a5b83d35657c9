import type { Updateable } from 'kysely'
import { toPaise } from '#lib/money.ts'
import type { RandomInt } from '#server/platform/process/secret.ts'
import type { Write } from '#server/platform/db/write.ts'
import type { Tables, Trx } from '#server/platform/db/tables.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { CATEGORIES, addToCatalog, type CatalogDraft } from './catalog.ts'
import { pick } from './random.ts'

type Change = (trx: Trx, random: RandomInt) => Promise<unknown>

const NAMES = ['Crisp', 'Soft', 'Sweet </script>', 'Hot & sour', 'Old "family" recipe']
const PICTURES = ['laddu', 'jangiri', 'halwa']

const PRODUCT_VALUES: ((random: RandomInt) => Updateable<Tables['products']>)[] = [
  random => ({ price: toPaise(100 * random(1, 900)) }),
  random => ({ stock: pick([0, 1, 5, 6, 20], random) }),
  random => ({ rating: random(30, 50) }),
  random => ({ name: `${pick(NAMES, random)} ${random(0, 10)}` }),
  random => ({ category: pick(CATEGORIES, random) }),
  random => ({ hidden_at: pick([null, '2026-01-01T00:00:00.000Z'], random) }),
  random => ({ family_id: pick(['pak', 'mixture', null], random) })
]

const ADDITIONS: ((id: string, product: string, random: RandomInt) => CatalogDraft)[] = [
  (id, product) => ({ collections: { [id]: [product] } }),
  (id, product, random) => ({ deals: { [id]: { product, percent: random(1, 60) } } }),
  (id, _, random) => ({ products: { [id]: { pictures: [pick(PICTURES, random)] } } }),
  (id, _, random) => ({ posts: { [id]: { created_at: new Date(random(0, 1e6)).toISOString() } } })
]

let addedCount = 0

const CHANGES: Change[] = [
  ...PRODUCT_VALUES.map(draw => async (trx: Trx, random: RandomInt) => {
    const [id, values] = [await pickId(trx, 'products', random), draw(random)]
    await trx.updateTable('products').set(values).where('id', '=', id).execute()
  }),
  ...ADDITIONS.map(draw => async (trx: Trx, random: RandomInt) => {
    const product = await pickId(trx, 'products', random)
    await addToCatalog(trx, draw(`added-${++addedCount}`, product, random), Date.now())
  }),
  ...(['products', 'deals', 'posts'] as const).map(table => async (trx: Trx, random: RandomInt) => {
    const id = await pickId(trx, table, random)
    if (table === 'products')
      for (const other of ['deals', 'product_pictures'] as const)
        await trx.deleteFrom(other).where('product_id', '=', id).execute()
    await trx.deleteFrom(table).where('id', '=', id).execute()
  }),
  async (trx, random) => {
    const id = await pickId(trx, 'posts', random)
    const values = pick([{ content: `# ${random(0, 99)}` }, { title: pick(NAMES, random) }], random)
    await trx.updateTable('posts').set(values).where('id', '=', id).execute()
  }
]

/** Makes one to three public changes. */
export async function applyRandomChanges(write: Write, random: RandomInt): Promise<void> {
  const chosen = Array.from({ length: random(1, 4) }, () => pick(CHANGES, random))
  await write(async trx => {
    await raiseCounter(trx, 'catalog')
    for (const change of chosen) await change(trx, random)
  })
}

async function pickId(trx: Trx, table: 'products' | 'deals' | 'posts', random: RandomInt) {
  const rows = await trx.selectFrom(table).select('id').orderBy('id').execute()
  return rows.length === 0 ? '' : pick(rows, random).id
}
