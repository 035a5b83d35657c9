import { t } from '#lib/contract/texts.ts'
import { type NotNull, type RawBuilder, sql, type SqlBool } from 'kysely'
import { checkoutPausedText, firstOrderLimitText, othersPayText } from '#lib/checkout/messages.ts'
import { ORDER_LIMITS } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { ShopError } from '#lib/errors.ts'
import { DAY, type IsoTime, MINUTE, UNATTEMPTED_TIME, toIso } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { LOSABLE, type DataDeps } from '../../platform/db/write.ts'
import {
  countAttempts,
  enforceLimit,
  limitsPerNetwork,
  tooManyRequests
} from '../../platform/http/limits.ts'

const OPENING_WINDOW = 10 * MINUTE
const UNVERIFIED = { key: 'unverified checkouts', max: 60, window: OPENING_WINDOW }
/** Of all verified accounts of a network without a paid order. */
const NEW = { key: 'checkouts', max: 300, window: OPENING_WINDOW }
/** An account is paused after unpaid reservations have kept stock for this time in a day. */
const MAX_UNATTEMPTED_TIME = 3 * UNATTEMPTED_TIME
const PAUSE = 30 * MINUTE

/** Accounts without a paid order are also counted by network, because anyone can create many. */
export async function limitOpenings(
  { write, clock }: DataDeps,
  { _id, verified }: User,
  ip: string
): Promise<void> {
  const now = clock()
  const account = { key: `checkouts of ${_id}`, max: 10, window: OPENING_WINDOW }
  const isAllowed = await write(async trx => {
    await enforceLimit(trx, [account], now)
    if (verified && (await hasPaidOrder(trx, _id))) return true
    return countAttempts(trx, limitsPerNetwork(ip, verified ? NEW : UNVERIFIED), now)
  }, LOSABLE)
  if (isAllowed) return
  throw verified ? tooManyRequests(OPENING_WINDOW - (now % OPENING_WINDOW)) : verificationRequired()
}

/** Each resumed checkout may ask the provider. */
export async function limitResumes({ write, clock }: DataDeps, { _id }: User): Promise<void> {
  const limit = { key: `payments of ${_id}`, max: 60, window: MINUTE }
  await write(trx => enforceLimit(trx, [limit], clock()), LOSABLE)
}

async function hasPaidOrder(trx: Trx, userId: string) {
  const paid = trx
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('payment_state', '=', 'paid')
    // An order that costs nothing has no payment.
    .where('paid_payment_id', 'is not', null)
    .limit(1)
  return (await paid.executeTakeFirst()) !== undefined
}

function verificationRequired(): ShopError {
  return new ShopError('VERIFICATION_REQUIRED', {
    message: t('Please confirm your email address with a code to order.')
  })
}

type EndedReservation = Pick<OrderRow, 'created_at' | 'reserved_until' | 'ended_at'>

/** Without any payment attempt, newest first. */
function listUnattempted(db: Db, userId: string, since: IsoTime): Promise<EndedReservation[]> {
  const deleted = db
    .selectFrom('deleted_checkouts')
    .select(['reserved_from as created_at', 'reserved_until', 'reserved_until as ended_at'])
    .$narrowType<{ created_at: NotNull; reserved_until: NotNull }>()
    .where('user_id', '=', userId)
    .where('reserved_until', '>', since)
  return (
    db
      .selectFrom('orders')
      .select(['created_at', 'reserved_until', 'ended_at'])
      .where('user_id', '=', userId)
      .where('payment_state', 'in', ['expired', 'cancelled'])
      // Without a provider order, the shopper could not pay.
      .where('provider_order_id', 'is not', null)
      .where('ended_at', '>', since)
      .where(
        sql<SqlBool>`not exists (select 1 from payments
          where provider_order_id = orders.provider_order_id)`
      )
      .unionAll(deleted)
      .orderBy('ended_at', 'desc')
      .execute()
  )
}

export async function enforcePause(db: Db, userId: string, now: number): Promise<void> {
  const reservations = await listUnattempted(db, userId, toIso(now - DAY))
  const times = reservations.map(({ created_at, reserved_until, ended_at }) => {
    const end = Date.parse(ended_at ?? reserved_until)
    // If the provider can't be reached, a reservation ends late, which is not the shopper's fault.
    return { end, kept: Math.min(end, Date.parse(reserved_until)) - Date.parse(created_at) }
  })
  const [latest] = times
  if (!latest || times.reduce((sum, { kept }) => sum + kept, 0) < MAX_UNATTEMPTED_TIME) return
  const pausedUntil = latest.end + PAUSE
  if (pausedUntil > now) throw tooManyRequests(pausedUntil - now, checkoutPausedText)
}

/** Lock the account first. True if it has no delivered order yet, so that it gets only a share. */
export async function isLimitedToShares(trx: Trx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ open: number; delivered: boolean | number }>`
    select exists (select 1 from orders where user_id = ${userId}
        and fulfilment_status = 'delivered') as delivered,
      (select count(*) from orders where user_id = ${userId}
        and payment_state = 'awaiting') as open`.execute(trx)
  if (Number(rows[0]?.open) > ORDER_LIMITS.openReservations)
    throw new ShopError('TOO_MANY_RESERVATIONS')
  return !rows[0]?.delivered
}

// Anyone can reserve without paying, so accounts without a delivered order get only shares.

/** `network` is null if the address of the account is verified. */
type NewOrder = Pick<OrderRow, 'id' | 'user_id' | 'network'>

interface Reserved {
  kind: 'orders' | 'units' | 'packs' | 'uses'
  name: string
  total: number
  everyone: number
  /** By the account, or by all unverified accounts of its network. */
  shared: number
  own: number
}

/** An account or a network may reserve a fifth, all together half, but never less than this. */
const MINIMUM = {
  orders: { shared: 3, everyone: 5 },
  uses: { shared: 3, everyone: 5 },
  units: { shared: 10, everyone: 10 },
  packs: { shared: 10, everyone: 10 }
} as const

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

// With `cross join`, SQLite starts with the few unpaid orders instead of all past lines of a product.

/** The rows of packs and coupon must be locked. */
export async function findStockRefusal(trx: Trx, order: NewOrder): Promise<ShopError | undefined> {
  const rows = await readReserved(
    trx,
    order,
    sql`
      select 'packs' as kind, p.name as name, p.stock + sum(l.quantity) as total,
        sum(l.quantity) as everyone, sum(shared * l.quantity) as shared,
        sum(own * l.quantity) as own
        from unpaid u cross join order_lines l join products p on p.id = l.product_id
        where l.order_id = u.id and p.cooked_to_order = 0
          and p.id in (select product_id from order_lines where order_id = ${order.id})
        group by p.id, p.name, p.stock
      union all
      select 'uses', 'this coupon', c.max_uses, count(*), sum(shared), sum(own)
        from unpaid u join coupons c on c.id = u.coupon_id
        where c.id = (select coupon_id from orders where id = ${order.id})
          and c.max_uses is not null
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

/** With `fields` if the shopper can choose another day. */
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
