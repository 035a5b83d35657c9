import { readCounter } from '../platform/db/counters.ts'
import type { Db } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import type { Actor } from '../accounts/audit.ts'
import { removeProduct } from '../catalog/products.ts'
import { removePost } from '../content/posts.ts'
import { removeDeal } from '../deals/deals.ts'
import DEALS from './deals.json' with { type: 'json' }
import POSTS from './posts.json' with { type: 'json' }
import PRODUCTS from './products.json' with { type: 'json' }
import { SEED_COUNTER } from './seed.ts'

/** Rows that came with the demo have this version until somebody changes them. */
const UNCHANGED = 1

interface DemoData {
  products: string[]
  posts: string[]
  deals: string[]
}

/** Returns the ids of what visitors see and nobody has changed. What the owner has changed is the owner's. */
export async function listDemoData(db: Db): Promise<DemoData> {
  if ((await readCounter(db, SEED_COUNTER)) === 0) return { products: [], posts: [], deals: [] }
  const visible = async (table: 'products' | 'posts', items: readonly { id: string }[]): Promise<string[]> => {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('id', 'in', toIds(items))
      .where('version', '=', UNCHANGED)
      .where('hidden_at', 'is', null)
      // The owner may have made another product with the id of a deleted one.
      .where('creation_key', 'is', null)
      .execute()
    return toIds(rows)
  }
  const deals = await db
    .selectFrom('deals')
    .select('id')
    .where('id', 'in', toIds(DEALS))
    .where('version', '=', UNCHANGED)
    .execute()
  return { products: await visible('products', PRODUCTS), posts: await visible('posts', POSTS), deals: toIds(deals) }
}

/** Deletes it, but hides products that orders contain. Can be repeated if it was cut short. */
export async function removeDemoData(deps: DataDeps, actor: Actor): Promise<void> {
  const { products, posts, deals } = await listDemoData(deps.database.kysely)
  for (const id of deals) await removeDeal(deps, actor, id, UNCHANGED)
  for (const id of products) await removeProduct(deps, actor, id, UNCHANGED)
  for (const id of posts) await removePost(deps, actor, id, UNCHANGED)
}

function toIds(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}
