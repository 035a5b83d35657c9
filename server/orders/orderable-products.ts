import { sql } from 'kysely'
import type { Picture } from '#lib/contract/values.ts'
import type { DrawnDiscount } from '#lib/pricing.ts'
import { prepared, type Prepared } from '../platform/db/prepared.ts'
import type { Db, ProductRow } from '../platform/db/tables.ts'

export type OrderableProduct = Pick<
  ProductRow,
  'id' | 'name' | 'price' | 'stock' | 'category' | 'pack_value' | 'pack_unit' | 'pack_type'
> & { picture: Picture | undefined }

export async function findOrderableProducts(db: Db, ids: readonly string[]): Promise<Map<string, OrderableProduct>> {
  if (ids.length === 0) return new Map()
  const { rows } = await productsQuery(ids.length)(db, ids)
  return new Map(
    rows.map(({ key, width, height, alt, color, ...product }) => {
      const picture =
        key === null || width === null || height === null || alt === null || color === null
          ? undefined
          : { key, width, height, alt, color }
      return [product.id, { ...product, picture }]
    })
  )
}

type FoundRow = Omit<OrderableProduct, 'picture'> & { [Part in keyof Picture]: Picture[Part] | null }

const queries = new Map<number, Prepared<readonly string[], FoundRow>>()

/** A prepared statement has a fixed number of placeholders, so each `count` of products needs its own statement. */
function productsQuery(count: number): Prepared<readonly string[], FoundRow> {
  const known = queries.get(count)
  if (known) return known
  const query = prepared<readonly string[], FoundRow>((db, value) =>
    db
      .selectFrom('products')
      .leftJoin('product_pictures', join => join.onRef('product_id', '=', 'products.id').on('position', '=', 0))
      .leftJoin('pictures', 'pictures.key', 'product_pictures.picture_key')
      .select(['products.id', 'products.name', 'price', 'stock', 'category', 'pack_value', 'pack_unit', 'pack_type'])
      .select(['key', 'width', 'height', 'alt', 'color'])
      .where(
        'products.id',
        'in',
        Array.from({ length: count }, (_, index) => value(index))
      )
      .where('hidden_at', 'is', null)
  )
  queries.set(count, query)
  return query
}

/** `isClaimedByOwnOrder` is true if the shopper's own unpaid order uses the discount. `now` is ISO. */
export async function findDrawnDiscounts(
  db: Db,
  userId: string,
  dealIds: readonly string[],
  now: string
): Promise<Map<string, DrawnDiscount & { isClaimedByOwnOrder: boolean }>> {
  if (dealIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('draws')
    .innerJoin('deals', 'deals.id', 'draws.deal_id')
    .leftJoin('orders', 'orders.id', 'draws.order_id')
    .select(['deal_id', 'product_id', 'draws.percent', 'draws.order_id', 'payment_state', 'starts_at', 'ends_at'])
    .where('draws.user_id', '=', userId)
    .where('deal_id', 'in', dealIds)
    .execute()
  return new Map(
    rows.map(row => {
      const isRunning = row.starts_at <= now && row.ends_at > now
      const state = !isRunning ? 'ended' : row.order_id === null ? 'usable' : 'used'
      const isClaimedByOwnOrder = row.payment_state === 'awaiting'
      return [row.deal_id, { product: row.product_id, percent: row.percent, state, isClaimedByOwnOrder }]
    })
  )
}

export async function findReservedPacks(db: Db, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .select(({ fn }) => ['product_id', fn.sum<number>('quantity').as('packs')])
    .where('user_id', '=', userId)
    // The value is a literal, because with a parameter the database would not use the partial index.
    .where('payment_state', '=', sql.lit('awaiting'))
    .groupBy('product_id')
    .execute()
  return new Map(rows.map(({ product_id, packs }) => [product_id, Number(packs)]))
}
