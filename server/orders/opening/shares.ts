import { sql, type RawBuilder } from 'kysely'
import { CHECKOUT_MESSAGES, firstOrderLimitText, othersPayText } from '#lib/checkout/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { ShopError } from '#lib/errors.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'

// Anyone can open accounts and reserve without paying. What accounts without a delivered order hold in unpaid orders is
// therefore limited to parts of each day, product and coupon, so that strangers can't close the shop.

/** The new order. Its `network` is null if the shopper's address is verified. */
type NewOrder = Pick<OrderRow, 'id' | 'user_id' | 'network'>

interface Held {
  kind: 'orders' | 'units' | 'packs' | 'uses'
  /** As in `othersPayText`. */
  name: string
  total: number
  /** Held by all accounts without a delivered order. */
  everyone: number
  /** Held by the account or, if its address is not verified, by all unverified accounts of its network. */
  near: number
  own: number
}

/** An account or a network may hold a fifth, and everyone together half, but never less than this. */
const MINIMUM = {
  orders: { near: 3, everyone: 5 },
  uses: { near: 3, everyone: 5 },
  units: { near: 10, everyone: 10 },
  packs: { near: 10, everyone: 10 }
} as const

export async function hasDeliveredOrder(trx: Trx, userId: string): Promise<boolean> {
  const orders = trx.selectFrom('orders').select('id').where('user_id', '=', userId)
  return (await orders.where('fulfilment_status', '=', 'delivered').limit(1).executeTakeFirst()) !== undefined
}

/** The row of the day must be locked, or another order could take the same share. */
export async function findDayRefusal(
  trx: Trx,
  order: NewOrder,
  day: string,
  { ordersPerDay, unitsPerDay }: Pick<Settings['calendar'], 'ordersPerDay' | 'unitsPerDay'>
): Promise<ShopError | undefined> {
  if (ordersPerDay + unitsPerDay === 0) return undefined
  const rows = await readHeld(
    trx,
    order,
    sql`
      select 'orders' as kind, 'this day' as name, cast(${ordersPerDay} as bigint) as total,
        count(*) as everyone, sum(near) as near, sum(own) as own
        from held where kitchen_day = ${day}
      union all
      select 'units', 'this day', cast(${unitsPerDay} as bigint),
        sum(kitchen_units), sum(near * kitchen_units), sum(own * kitchen_units)
        from held where kitchen_day = ${day}`
  )
  return findRefusal(order, rows)
}

/** Of packs and coupon, whose rows must be locked. */
export async function findGoodsRefusal(trx: Trx, order: NewOrder): Promise<ShopError | undefined> {
  const rows = await readHeld(
    trx,
    order,
    sql`
      select 'packs' as kind, p.name as name, p.stock + sum(l.quantity) as total,
        sum(l.quantity) as everyone, sum(near * l.quantity) as near, sum(own * l.quantity) as own
        from held join order_lines l on l.order_id = held.id join products p on p.id = l.product_id
        where p.id in (select product_id from order_lines where order_id = ${order.id})
        group by p.id, p.name, p.stock
      union all
      select 'uses', 'this coupon', c.max_uses, count(*), sum(near), sum(own)
        from held join coupons c on c.id = held.coupon_id
        where c.id = (select coupon_id from orders where id = ${order.id}) and c.max_uses is not null
        group by c.max_uses`
  )
  return findRefusal(order, rows)
}

async function readHeld(trx: Trx, { user_id, network }: NewOrder, select: RawBuilder<unknown>): Promise<Held[]> {
  const { rows } = await sql<Held>`
    with held as (
      select o.id, o.kitchen_day, o.kitchen_units, o.coupon_id,
        case when o.user_id = ${user_id} then 1 else 0 end as own,
        case when o.user_id = ${user_id} or o.network = ${network} then 1 else 0 end as near
      from orders o
      where o.payment_state = 'awaiting' and not exists (
        select 1 from orders d where d.user_id = o.user_id and d.fulfilment_status = 'delivered')
    ) ${select}`.execute(trx)
  return rows
}

/**
 * Returns VERIFICATION_REQUIRED if others hold too much and the address is not verified, otherwise FIRST_ORDER_LIMIT,
 * with `fields` if the shopper can choose another day.
 */
function findRefusal({ network }: NewOrder, rows: readonly Held[]): ShopError | undefined {
  for (const { kind, name, total, everyone, near, own } of rows) {
    if (total === 0) continue
    const minimum = MINIMUM[kind]
    const limit = Math.max(minimum.near, Math.floor(total / 5))
    if (own > limit) {
      return new ShopError('FIRST_ORDER_LIMIT', kind === 'packs' ? { message: firstOrderLimitText(limit) } : {})
    }
    if (near <= limit && everyone <= Math.max(minimum.everyone, Math.floor(total / 2))) continue
    if (network !== null) return new ShopError('VERIFICATION_REQUIRED', { message: CHECKOUT_MESSAGES.verifyToOrder })
    const message = othersPayText(name)
    const isDay = kind === 'orders' || kind === 'units'
    return new ShopError('FIRST_ORDER_LIMIT', isDay ? { fields: { deliveryDate: message } } : { message })
  }
  return undefined
}
