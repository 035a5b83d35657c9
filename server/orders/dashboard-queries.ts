import { MAX_LOW_STOCK_ROWS } from '#lib/admin/limits.ts'
import { LOW_STOCK_THRESHOLD } from '#lib/constants.ts'
import type { Dashboard } from '#lib/contract/admin.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Db } from '../platform/db/tables.ts'

/** `now` is ISO. */
export async function countDashboard(db: Db, now: string): Promise<Dashboard['counts'] & Pick<Dashboard, 'unread'>> {
  const counts = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('products')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('hidden_at', 'is', null)
        .as('products'),
      selectFrom('orders')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('paid_at', 'is not', null)
        .as('orders'),
      selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('deleted_at', 'is', null)
        .as('users'),
      selectFrom('deals')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('ends_at', '>', now)
        .as('deals'),
      selectFrom('contact_messages')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('read_at', 'is', null)
        .as('unread')
    ])
    .executeTakeFirstOrThrow()
  const { products, orders, users, deals, unread } = counts
  return {
    products: Number(products),
    orders: Number(orders),
    users: Number(users),
    deals: Number(deals),
    unread: Number(unread)
  }
}

export function listLowStock(db: Db): Promise<Dashboard['lowStock']> {
  return db
    .selectFrom('products')
    .select(['id', 'name', 'stock'])
    .where('hidden_at', 'is', null)
    .where('stock', '<=', LOW_STOCK_THRESHOLD)
    .orderBy('stock')
    .orderBy('name')
    .limit(MAX_LOW_STOCK_ROWS)
    .execute()
}

/** Leaves out refunded orders. `since` is ISO. */
export function listSales(db: Db, since: string): Promise<Pick<OrderRow, 'paid_at' | 'total'>[]> {
  return db
    .selectFrom('orders')
    .select(['paid_at', 'total'])
    .where('paid_at', '>=', since)
    .where('payment_state', '=', 'paid')
    .execute()
}
