import type { User } from '#lib/contract/accounts.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { readCounter } from '../platform/db/counters.ts'
import type { Db } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { collections } from '../catalog/collections.ts'
import { removeProduct } from '../catalog/products.ts'
import { posts } from '../content/posts.ts'
import { deals } from '../deals/deals.ts'
import { DEMO_AUTHOR, INVENTED_SECTIONS, readCurrentSections } from '../settings/settings.ts'
import { saveSection } from '../settings/save-section.ts'
import { DEMO_PRODUCTS, DEMO_SEED_COUNTER } from './seed.ts'
import COLLECTIONS from './collections.json' with { type: 'json' }
import DEALS from './deals.json' with { type: 'json' }
import POSTS from './posts.json' with { type: 'json' }

/** Rows that came with the demo have this version until somebody changes them. */
const UNCHANGED = 1

interface DemoData {
  products: string[]
  posts: string[]
  deals: string[]
  collections: string[]
  sections: (typeof INVENTED_SECTIONS)[number][]
}

/** Returns the ids of what visitors see and nobody has changed since the demo was seeded. */
export async function listDemoData(db: Db): Promise<DemoData> {
  if ((await readCounter(db, DEMO_SEED_COUNTER)) === 0)
    return { products: [], posts: [], deals: [], collections: [], sections: [] }
  const visible = async (
    table: 'products' | 'posts' | 'collections',
    items: readonly { id: string }[]
  ) => {
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
  const unchangedDeals = await db
    .selectFrom('deals')
    .select('id')
    .where('id', 'in', toIds(DEALS))
    .where('version', '=', UNCHANGED)
    .execute()
  const stored = await readCurrentSections(db, INVENTED_SECTIONS)
  return {
    products: await visible('products', DEMO_PRODUCTS),
    posts: await visible('posts', POSTS),
    deals: toIds(unchangedDeals),
    collections: await visible('collections', COLLECTIONS),
    sections: INVENTED_SECTIONS.filter(name => stored[name]?.savedBy === DEMO_AUTHOR)
  }
}

/** Hides products that orders contain. Can be repeated if it was cut short. */
export async function removeDemoData(deps: DataDeps, actor: User): Promise<void> {
  const demo = await listDemoData(deps.database.kysely)
  for (const id of demo.deals) await deals.remove(deps, { actor }, id, UNCHANGED)
  for (const id of demo.collections) await collections.remove(deps, { actor }, id, UNCHANGED)
  for (const id of demo.products) await removeProduct(deps, { actor }, id, UNCHANGED)
  for (const id of demo.posts) await posts.remove(deps, { actor }, id, UNCHANGED)
  for (const name of demo.sections)
    await saveSection(deps, actor, name, { value: EMPTY_SETTINGS[name], version: UNCHANGED })
}

function toIds(rows: readonly { id: string }[]) {
  return rows.map(({ id }) => id)
}
