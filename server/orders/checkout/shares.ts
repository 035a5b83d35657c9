import { sql, type RawBuilder } from 'kysely'
import { firstOrderLimitText, othersPayText } from '#lib/checkout/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { ShopError } from '#lib/errors.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { verificationRequired } from './limits.ts'

// Anyone can open accounts and reserve without paying. Unpaid orders of accounts without a
// delivered order can therefore reserve only a part of each day, product and coupon.

/** The new order. Its `network` is null if the shopper's address is verified. */
type NewOrder = Pick<OrderRow, 'id' | 'user_id' | 'network'>

interface Reserved {
  kind: 'orders' | 'units' | 'packs' | 'uses'
  /** As in `othersPayText`. */
  name: string
  total: number
  /** Reserved by all accounts without a delivered order. */
  everyone: number
  /**
   * Reserved by the account. If its address is not verified: by all unverified accounts of its
   * network.
   */
  shared: number
  own: number
}

/**
 * An account or a network may reserve a fifth, and everyone together half, but never less than
 * this.
 */
const MINIMUM = {
  orders: { shared: 3, everyone: 5 },
  uses: { shared: 3, everyone: 5 },
  units: { shared: 10, everyone: 10 },
  packs: { shared: 10, everyone: 10 }
} as const

export async function hasDeliveredOrder(trx: Trx, userId: string): Promise<boolean> {
  const orders = trx.selectFrom('orders').select('id').where('user_id', '=', userId)
  return (
    (await orders
      .where('fulfilment_status', '=', sql.lit('delivered'))
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** The row of the day must be locked, or another order could take the same share. */
export async function findDayRefusal(
  trx: Trx,
  order: NewOrder,
  day: string,
  { ordersPerDay, unitsPerDay }: Pick<Settings['calendar'], 'ordersPerDay' | 'unitsPerDay'>
): Promise<ShopError | undefined> {
  if (ordersPerDay + unitsPerDay === 0) return undefined
  const rows = await readReserved(
    trx,
    order,
    sql`
      select 'orders' as kind, 'this day' as name, cast(${ordersPerDay} as bigint) as total,
        count(*) as everyone, sum(shared) as shared, sum(own) as own
        from unpaid where kitchen_day = ${day}
      union all
      select 'units', 'this day', cast(${unitsPerDay} as bigint),
        sum(kitchen_units), sum(shared * kitchen_units), sum(own * kitchen_units)
        from unpaid where kitchen_day = ${day}`
  )
  return findRefusal(order, rows)
}

/** Of packs and coupon, whose rows must be locked. */
export async function findStockRefusal(trx: Trx, order: NewOrder): Promise<ShopError | undefined> {
  const rows = await readReserved(
    trx,
    order,
    sql`
      select 'packs' as kind, p.name as name, p.stock + sum(l.quantity) as total,
        sum(l.quantity) as everyone, sum(shared * l.quantity) as shared, sum(own * l.quantity) as own
        from unpaid u join order_lines l on l.order_id = u.id join products p on p.id = l.product_id
        where p.id in (select product_id from order_lines where order_id = ${order.id})
        group by p.id, p.name, p.stock
      union all
      select 'uses', 'this coupon', c.max_uses, count(*), sum(shared), sum(own)
        from unpaid u join coupons c on c.id = u.coupon_id
        where c.id = (select coupon_id from orders where id = ${order.id}) and c.max_uses is not null
        group by c.max_uses`
  )
  return findRefusal(order, rows)
}

async function readReserved(
  trx: Trx,
  { user_id, network }: NewOrder,
  select: RawBuilder<unknown>
): Promise<Reserved[]> {
  const { rows } = await sql<Reserved>`
    with unpaid as (
      select o.id, o.kitchen_day, o.kitchen_units, o.coupon_id,
        case when o.user_id = ${user_id} then 1 else 0 end as own,
        case when o.user_id = ${user_id} or o.network = ${network} then 1 else 0 end as shared
      from orders o
      where o.payment_state = 'awaiting' and not exists (
        select 1 from orders d where d.user_id = o.user_id and d.fulfilment_status = 'delivered')
    ) ${select}`.execute(trx)
  return rows
}

/**
 * Returns FIRST_ORDER_LIMIT if the account alone has reserved too much. If it is too much together
 * with others, returns VERIFICATION_REQUIRED for an unverified address, otherwise
 * FIRST_ORDER_LIMIT, with `fields` if the shopper can choose another day.
 */
function findRefusal({ network }: NewOrder, rows: readonly Reserved[]): ShopError | undefined {
  const limited = rows
    .filter(({ total }) => total !== 0)
    .map(row => ({ ...row, limit: Math.max(MINIMUM[row.kind].shared, Math.floor(row.total / 5)) }))
  const ownExcess = limited.find(({ own, limit }) => own > limit)
  if (ownExcess) {
    const { kind, limit } = ownExcess
    return new ShopError(
      'FIRST_ORDER_LIMIT',
      kind === 'packs' ? { message: firstOrderLimitText(limit) } : {}
    )
  }
  const excess = limited.find(
    ({ kind, total, everyone, shared, limit }) =>
      shared > limit || everyone > Math.max(MINIMUM[kind].everyone, Math.floor(total / 2))
  )
  if (!excess) return undefined
  if (network !== null) return verificationRequired()
  const message = othersPayText(excess.name)
  const isDay = excess.kind === 'orders' || excess.kind === 'units'
  return new ShopError(
    'FIRST_ORDER_LIMIT',
    isDay ? { fields: { deliveryDate: message } } : { message }
  )
}
