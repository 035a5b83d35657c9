import type { Insertable } from 'kysely'
import { fromRupees } from '#lib/money.ts'
import { SECOND } from '#lib/time.ts'
import type {
  DealRow,
  PostRow,
  Trx,
  PictureRow,
  ProductRow,
  SaleColumns
} from '#server/platform/db/tables.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'

export const CATEGORIES = ['powders', 'savouries', 'pickles', 'sweets', 'seer_items'] as const

/** `price` is in rupees, `pictures` are names of pictures. */
export type ProductDraft = Partial<
  Omit<ProductRow & SaleColumns, 'price' | 'ingredients'> & {
    family_id: string
    family_position: number
    cooked_to_order: number
    local_only: number
    extra_lead_days: number
    shelf_life_days: number
    hidden_at: string
  }
> & {
  price?: number
  ingredients?: string[]
  pictures?: string[]
}

/** `from` and `to` are in ms relative to now. */
export interface DealDraft {
  product: string
  percent?: number
  from?: number
  to?: number
}

export interface CatalogDraft {
  products?: Record<string, ProductDraft>
  deals?: Record<string, DealDraft>
  posts?: Record<string, Partial<PostRow>>
  /** Ids of products by the id of the collection. */
  collections?: Record<string, readonly string[]>
  pictures?: Record<string, Partial<Insertable<PictureRow>>>
}

/** `now` in ms since the epoch. */
export async function addToCatalog(trx: Trx, draft: CatalogDraft, now: number): Promise<void> {
  await raiseCounter(trx, 'catalog')
  for (const [name, picture] of Object.entries(draft.pictures ?? {})) {
    await trx
      .insertInto('pictures')
      .values(pictureRow(`${name}-00000000`, { name, ...picture }))
      .execute()
  }
  for (const [id, product] of Object.entries(draft.products ?? {}))
    await addProduct(trx, id, product)
  for (const [id, ids] of Object.entries(draft.collections ?? {})) await addCollection(trx, id, ids)
  for (const [id, deal] of Object.entries(draft.deals ?? {})) {
    await trx
      .insertInto('deals')
      .values(dealRow(id, deal, now))
      .execute()
  }
  for (const [id, post] of Object.entries(draft.posts ?? {})) {
    await trx.insertInto('posts').values(postRow(id, post)).execute()
  }
}

async function addProduct(trx: Trx, id: string, { pictures = [id], ...draft }: ProductDraft) {
  await trx.insertInto('products').values(productRow(id, draft)).execute()
  for (const [position, name] of pictures.entries()) {
    const picture = pictureRow(`${name}-00000000`)
    await trx
      .insertInto('pictures')
      .values(picture)
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await trx
      .insertInto('product_pictures')
      .values({ product_id: id, position, picture_key: picture.key })
      .execute()
  }
}

async function addCollection(trx: Trx, id: string, products: readonly string[]) {
  const values = {
    id,
    name: id,
    name_tamil: 'தொகுப்பு',
    description: 'To give away.',
    picture_key: null,
    position: 0
  }
  await trx.insertInto('collections').values(values).execute()
  const rows = products.map((product_id, position) => ({ collection_id: id, product_id, position }))
  await trx.insertInto('collection_products').values(rows).execute()
}

function productRow(
  id: string,
  { price = 100, ingredients = ['Rice'], ...draft }: ProductDraft
): ProductRow {
  return {
    id,
    name: id,
    name_tamil: 'பலகாரம்',
    description: 'Made this morning.',
    category: 'sweets',
    dietary: 'vegetarian',
    rating: 45,
    stock: 20,
    pack_value: 250,
    pack_unit: 'g',
    pack_type: 'weight',
    shelf_life: '10 days',
    created_at: '2026-01-01T00:00:00.000Z',
    ...draft,
    price: fromRupees(price),
    ingredients: JSON.stringify(ingredients)
  }
}

function pictureRow(
  key: string,
  draft: Partial<Insertable<PictureRow>> = {}
): Insertable<PictureRow> {
  return { key, name: null, width: 1600, height: 1200, alt: 'A plate', color: '#c08a3e', ...draft }
}

function dealRow(
  id: string,
  { product, percent = 20, from = -SECOND, to = 3600 * SECOND }: DealDraft,
  now: number
): DealRow {
  const toISO = (ms: number) => new Date(now + ms).toISOString()
  return { id, product_id: product, percent, starts_at: toISO(from), ends_at: toISO(to) }
}

function postRow(id: string, draft: Partial<PostRow>): PostRow {
  return {
    id,
    title: id,
    author: 'Meena',
    excerpt: 'In short.',
    content: '# At length',
    picture_key: null,
    created_at: '2026-01-01T00:00:00.000Z',
    ...draft
  }
}
