import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#server/platform/db/connect.ts'
import type { Db } from '#server/platform/db/tables.ts'
import { readSection } from '#server/settings/settings.ts'
import type { Payment, Refund, Order } from '../../sandbox/objects.ts'

export interface ProviderState {
  orders: Order[]
  payments: Payment[]
  refunds: Refund[]
}

interface Expected {
  /** Packs of each product before the first order. */
  initial?: Record<string, number>
  provider?: ProviderState
  /** In ms. An order whose reservation expired before this time must not await a payment. */
  settledAt?: number
}

/** Returns the violated invariants of money and stock. Tests expect an empty list. */
export async function violations(
  { kysely: db, dialect }: Database,
  expected: Expected = {}
): Promise<string[]> {
  const found: string[] = []
  for (const [name, query] of Object.entries(QUERIES)) {
    for (const row of await rowsOf(db, query)) found.push(`${name}: ${JSON.stringify(row)}`)
  }
  if (dialect === 'sqlite') {
    const [state] = await rowsOf(db, sql`pragma integrity_check`)
    if (JSON.stringify(state) !== '{"integrity_check":"ok"}')
      found.push(`I10 integrity: ${JSON.stringify(state)}`)
  }
  found.push(...(await capacityViolations(db)))
  if (expected.initial) found.push(...(await stockViolations(db, expected.initial)))
  if (expected.provider) found.push(...(await providerViolations(db, expected.provider)))
  if (expected.settledAt !== undefined) {
    const settledTime = new Date(expected.settledAt).toISOString()
    const rows = await rowsOf(
      db,
      sql`select id from orders where payment_state = 'awaiting' and reserved_until < ${settledTime}`
    )
    found.push(...rows.map(row => `I8 payment pending too long: ${JSON.stringify(row)}`))
  }
  return found
}

const ACTIVE = sql`(o.payment_state in ('awaiting', 'paid') and coalesce(o.fulfilment_status, '') <> 'cancelled')`

const sumOf = (table: 'refunds' | 'reversals' | 'payment_reversals', condition: string) =>
  sql`(select coalesce(sum(amount), 0) from ${sql.table(table)}
    where payment_id = payments.id and ${sql.raw(condition)})`

const QUERIES: Record<string, RawBuilder<unknown>> = {
  'I1 a captured payment leads to one paid order, less its credit notes, or is refunded in full': sql`
    with p as (
      select payments.*,
        (select max(o.total) from orders o where o.paid_payment_id = payments.id and o.payment_state = 'paid') as kept,
        ${sumOf('refunds', `state <> 'failed'`)} as refunded,
        ${sumOf('refunds', `1 = 1`)} + ${sumOf('reversals', `state = 'returned'`)}
          + ${sumOf('payment_reversals', `state = 'returned'`)} as returned
      from payments where rank >= 3)
    select p.id, p.amount, p.kept, p.refunded, p.returned from p
    where not exists (
        select 1 from unitemised_payments b where b.provider_order_id = p.provider_order_id and b.state = 'open')
      and not exists (
        select 1 from unmatched_payments u where u.payment_id = p.id and coalesce(u.decision, 'keep') = 'keep')
      and (p.returned < p.amount - coalesce(p.kept, 0) or p.refunded > p.amount - coalesce(p.kept, 0))`,
  'I2 a paid order has a captured payment of the same amount': sql`
    select o.id, o.total, p.id as payment, p.amount, p.status from orders o
    left join payments p on p.id = o.paid_payment_id
    where o.payment_state = 'paid' and o.total > 0
      and (p.id is null or p.rank < 3 or p.currency <> o.currency
        or p.amount <> o.total + (select coalesce(sum(c.credited), 0) from order_changes c where c.order_id = o.id)
        or p.provider_order_id is null or p.provider_order_id <> o.provider_order_id)`,
  'I3 the lines and the delivery fee, less what is credited of them, add up to the total': sql`
    with o as (select orders.*, (select coalesce(sum(c.total), 0) from credit_lines c where c.order_id = orders.id) as off from orders)
    select o.id, o.total, o.delivery_fee, o.off, sum(l.total) as lines from o
    left join order_lines l on l.order_id = o.id
    group by o.id, o.total, o.delivery_fee, o.off having coalesce(sum(l.total), -1) + o.delivery_fee - o.off <> o.total`,
  'I3 no more is credited of a line than it costs': sql`
    select l.order_id, l.n, l.total, l.quantity from order_lines l join credit_lines c on c.order_id = l.order_id and c.n = l.n
    group by l.order_id, l.n, l.total, l.quantity, l.cgst
    having sum(c.total) not between 0 and l.total or sum(c.quantity) > l.quantity or sum(c.cgst) > l.cgst`,
  'I3 a price follows from the list price and the percentage, or is a sale price': sql`
    select order_id, n, list_price, percent, price from order_lines
    where price > list_price or total <> price * quantity - coupon_discount
      or (percent is not null and (price <> (list_price * (100 - percent) + 50) / 100 or quantity <> 1))`,
  'I3 a coupon lowers the lines of its order': sql`
    select o.id, o.coupon_id, sum(l.coupon_discount) as discount from orders o
    left join order_lines l on l.order_id = o.id
    group by o.id, o.coupon_id having (o.coupon_id is null) <> (coalesce(sum(l.coupon_discount), 0) = 0)`,
  'I5 a coupon counts its uses': sql`
    select c.id, c.uses, c.max_uses, count(u.order_id) as active from coupons c
    left join coupon_uses u on u.coupon_id = c.id and u.active = 1
    group by c.id, c.uses, c.max_uses having c.uses <> count(u.order_id) or c.uses > coalesce(c.max_uses, c.uses)`,
  'I5 an active order uses its coupon, and no other order does': sql`
    select o.id, o.coupon_id, u.coupon_id as used, u.active from orders o left join coupon_uses u on u.order_id = o.id
    where coalesce(u.active, 0) <> case when o.coupon_id is not null and ${ACTIVE} then 1 else 0 end
      or u.coupon_id <> o.coupon_id`,
  'I5 at most one active order per draw': sql`
    select l.deal_id, o.user_id, count(*) as orders from orders o join order_lines l on l.order_id = o.id
    where l.deal_id is not null and ${ACTIVE} group by l.deal_id, o.user_id having count(*) > 1`,
  'I5 the draw of an active order refers to this order': sql`
    select o.id, l.deal_id, d.order_id from orders o join order_lines l on l.order_id = o.id
    join draws d on d.deal_id = l.deal_id and d.user_id = o.user_id
    where ${ACTIVE} and (d.order_id is null or d.order_id <> o.id or d.percent <> l.percent)`,
  'I6 invoices are numbered without gaps': sql`
    select invoice_year, min(invoice_no) as first, max(invoice_no) as last, count(*) as invoices from orders
    where invoice_no is not null group by invoice_year
    having min(invoice_no) <> 1 or max(invoice_no) <> count(*) or count(distinct invoice_no) <> count(*)`,
  'I6 a paid order has an invoice': sql`
    select id from orders where (paid_at is null) <> (invoice_no is null)`,
  'I6 credit notes are numbered without gaps': sql`
    select credit_year, max(credit_no) as last, count(*) as notes from (
      select credit_year, credit_no from orders union all select credit_year, credit_no from order_changes) notes
    where credit_no is not null group by credit_year
    having max(credit_no) <> count(*) or count(distinct credit_no) <> count(*)`,
  'I6 the credit notes of changes add up to their lines': sql`
    select o.id, o.changes from orders o
    where (select coalesce(sum(c.credited), 0) from order_changes c where c.order_id = o.id)
        <> (select coalesce(sum(l.total), 0) from removed_lines l where l.order_id = o.id)
          + (select coalesce(sum(l.total), 0) from credit_lines l where l.order_id = o.id)
      or o.changes <> (select count(*) from order_changes c where c.order_id = o.id)`,
  'I7 two confirmation mails per paid order': sql`
    select o.id, count(m.id) as mails from orders o
    left join outbox m on m.id in ('order-placed-' || o.id, 'order-placed-owner-' || o.id)
    group by o.id, o.paid_at having count(m.id) <> case when o.paid_at is null then 0 else 2 end`,
  'I9 each refunded change has a refund': sql`
    select c.order_id, c.seq, c.refunded from order_changes c join orders o on o.id = c.order_id
    left join refunds r on r.payment_id = o.paid_payment_id and r.part = c.seq
    group by c.order_id, c.seq, c.refunded
    having c.refunded > 0 and count(r.id) = 0`,
  'I9 refunds do not exceed the payment': sql`
    select p.id, p.amount from payments p
    where p.amount < (select coalesce(sum(r.amount), 0) from (
      select payment_id, amount from refunds where state <> 'failed'
      union all select payment_id, amount from reversals where state = 'returned'
      union all select payment_id, amount from payment_reversals where state = 'returned'
    ) r where r.payment_id = p.id)`,
  // Orders that are older than the places have no kitchen units.
  'I11 an active order has a place, and no other order has': sql`
    select o.id, o.payment_state, o.fulfilment_status, o.holds_place from orders o
    where (o.holds_place <> case when ${ACTIVE} then 1 else 0 end and o.kitchen_units > 0)
      or (o.holds_place = 1 and not exists (select 1 from delivery_days d where d.day = o.kitchen_day))`,
  'I11 a day counts the places of its orders': sql`
    select d.day, d.orders, d.units, count(o.id) as placed, sum(o.kitchen_units) as placed_units from delivery_days d
    left join orders o on o.kitchen_day = d.day and o.holds_place = 1
    group by d.day, d.orders, d.units
    having d.orders <> count(o.id) or d.units <> coalesce(sum(o.kitchen_units), 0)`,
  'no stock below zero': sql`select id, stock from products where stock < 0`
}

async function stockViolations(db: Db, initial: Record<string, number>) {
  const rows = await sql<{ id: string; stock: number; moved: number; held: number; gone: number }>`
    with refunded as (
      select order_id, seq, product_id, quantity, 0 as held from removed_lines union all
      select c.order_id, c.seq, l.product_id, c.quantity, case when ${ACTIVE} then 1 else 0 end from credit_lines c
      join orders o on o.id = c.order_id join order_lines l on l.order_id = o.id and l.n = c.n)
    select p.id, p.stock,
      (select coalesce(sum(m.delta), 0) from stock_movements m where m.product_id = p.id) as moved,
      (select coalesce(sum(l.quantity), 0) from order_lines l join orders o on o.id = l.order_id
        where l.product_id = p.id and p.cooked_to_order = 0 and ${ACTIVE}) as held,
      (select coalesce(sum(r.quantity * (case when c.details like '%"restock":false%' then 1 else 0 end - r.held)), 0)
        from refunded r join order_changes c on c.order_id = r.order_id and c.seq = r.seq
        where r.product_id = p.id and p.cooked_to_order = 0) as gone
    from products p`.execute(db)
  // `gone` are refunded packs that are neither on an order nor in stock, less those that are both.
  return rows.rows.flatMap(({ id, stock, ...sums }) => {
    const first = initial[id]
    if (first === undefined) return []
    const [moved, held, gone] = [sums.moved, sums.held, sums.gone].map(Number)
    return stock === first + (moved ?? 0) && stock === first - (held ?? 0) - (gone ?? 0)
      ? []
      : `I4 stock of ${id} is ${stock}: first ${first}, ${JSON.stringify(sums)}`
  })
}

/** The owner must not have lowered the limits since the orders were placed. */
async function capacityViolations(db: Db) {
  const { ordersPerDay, unitsPerDay } = await readSection(db, 'calendar')
  const days = await db.selectFrom('delivery_days').selectAll().execute()
  const isAbove = (count: number, limit: number) => limit > 0 && count > limit
  return days
    .filter(({ orders, units }) => isAbove(orders, ordersPerDay) || isAbove(units, unitsPerDay))
    .map(row => `I11 a day has more than its capacity: ${JSON.stringify(row)}`)
}

async function providerViolations(db: Db, { orders, payments, refunds }: ProviderState) {
  const known = await db.selectFrom('payments').selectAll().execute()
  const rows = await db.selectFrom('refunds').selectAll().execute()
  const shopOrders = await db
    .selectFrom('orders')
    .select(['id', 'checkout_key', 'provider_order_id', 'total'])
    .execute()
  const credits = await db.selectFrom('order_changes').select(['order_id', 'credited']).execute()
  const found: string[] = []
  for (const { id, captured, amount, amount_refunded } of payments) {
    if (captured && !known.some(row => row.id === id && row.rank >= 3))
      found.push(`I1 ${id} is captured but not recorded`)
    if (amount_refunded > amount) found.push(`I9 refunds exceed ${id}`)
  }
  for (const { id, state, provider_refund_id } of rows) {
    const created = refunds.filter(({ receipt, status }) => receipt === id && status !== 'failed')
    const isPaidByHand = provider_refund_id === null
    if (created.length > 1 || (state === 'processed' && !isPaidByHand && created.length === 0))
      found.push(`I9 ${id} was created ${created.length} times`)
  }
  for (const { id, checkout_key, provider_order_id, total } of shopOrders) {
    const order = orders.find(each => each.id === provider_order_id)
    const paid = credits
      .filter(({ order_id }) => order_id === id)
      .reduce<number>((sum, { credited }) => sum + credited, total)
    // The receipt of an unitemised payment is its id, which is the checkout_key of its order.
    if (order && (order.amount !== paid || ![id, checkout_key].some(key => key === order.receipt)))
      found.push(`I3 ${id} differs from its provider order`)
  }
  return found
}

async function rowsOf(db: Db, query: RawBuilder<unknown>): Promise<unknown[]> {
  return (await query.execute(db)).rows
}
