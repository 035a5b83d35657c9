import { randomUUID } from 'node:crypto'
import { paidInputText, paidRefusalText } from '#lib/checkout/messages.ts'
import { CURRENCY, MIN_PAYMENT_PAISE } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import type {
  CartEntry,
  OrderRequest,
  PaymentOrder,
  PaymentOrderRequest,
  Quote,
  UnitemisedOrder
} from '#lib/contract/checkout.ts'
import { findDateProblem, listDays } from '#lib/delivery/calendar.ts'
import { toErrorBody } from '../../platform/http/errors.ts'
import { type ErrorCode, ShopError } from '#lib/errors.ts'
import { fromRupees, toRupees } from '#lib/money.ts'
import { DAY, isoNow, RESERVATION_TIME, toIso } from '#lib/time.ts'
import { readMyDiscounts } from '../../deals/draws.ts'
import type { OrderRow, UnitemisedPaymentRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { PaymentError } from '../../razorpay/client.ts'
import { createProviderOrder, toPaymentOrder } from '../payment/provider-orders.ts'
import { lockUnitemised } from '../payment/transitions.ts'
import { reconcile, RETRY_AFTER } from '../payment/reconcile.ts'
import { type CheckoutDeps, findOrderByProviderOrder } from '../queries.ts'
import { readPaidCheckout, readPaidOrder, toDestination } from './input.ts'
import { limitOpenings } from './limits.ts'
import { quoteLines } from './cart.ts'
import { createReservedOrder, reserveAtQuote, StaleQuote } from './reservations.ts'
import { readShopRules, requireMinimum, requireOpen, type ShopRules } from './rules.ts'

/** At this age, a payment that can't be listed belongs to a former Razorpay account. */
const GIVE_UP_AGE = DAY
const REFUSALS: readonly ErrorCode[] = [
  'PRICE_CHANGED',
  'BELOW_MINIMUM_ORDER',
  'NOT_DELIVERED',
  'DAY_CLOSED',
  'DAY_FULL'
]
/** In rupees. Senders may not have rounded the price of an item. */
const PRICE_TOLERANCE = 0.01

/** The specification allows payments without a list of items. They reserve no stock. */
export async function createUnitemisedPayment(
  deps: CheckoutDeps,
  rules: ShopRules,
  { user, ip }: { user: User; ip: string },
  { amount, deliveryDate }: Pick<PaymentOrderRequest, 'amount' | 'deliveryDate'>
): Promise<PaymentOrder> {
  const { write, clock, payments } = deps
  const now = clock()
  const total = fromRupees(amount)
  requireOpen(rules.orders, now)
  requireMinimum(rules, total)
  if (total < MIN_PAYMENT_PAISE) throw new ShopError('AMOUNT_TOO_SMALL')
  const { calendar, closed } = rules.delivery
  const days = listDays({ ...calendar, closed }, { now, isLong: true })
  const dateProblem = findDateProblem(days, deliveryDate ?? '')
  if (dateProblem !== undefined)
    throw new ShopError('INVALID_INPUT', { fields: { deliveryDate: dateProblem } })
  await limitOpenings(deps, user, ip)
  const id = randomUUID()
  const row = {
    id,
    user_id: user._id,
    total,
    state: 'open',
    next_check_at: toIso(now + RESERVATION_TIME),
    created_at: toIso(now)
  } as const
  await write(trx => trx.insertInto('unitemised_payments').values(row).execute(), {
    shows: 'nothing'
  })
  const notes = { shop: rules.shopId, order: id }
  const mode = rules.paymentMode
  const draft = { amount: total, currency: CURRENCY, receipt: id, notes, mode }
  const { id: provider_order_id } = await createProviderOrder(deps, draft, true)
  await write(trx => updateUnitemised(trx, id, { provider_order_id }).execute(), {
    shows: 'nothing'
  })
  const order = { id: provider_order_id, orderId: id, total, holdUntil: null }
  return toPaymentOrder(await payments.of(deps.database.kysely, provider_order_id), order)
}

/** Refuses a field that can be corrected. Refunds an order that is not possible. */
export async function placeUnitemisedOrder(
  deps: CheckoutDeps,
  user: User,
  request: OrderRequest
): Promise<OrderRow> {
  const { razorpay_order_id, razorpay_payment_id: paymentId, razorpay_signature } = request
  const { database, payments } = deps
  const unitemised = await database.kysely
    .selectFrom('unitemised_payments')
    .selectAll()
    .where('provider_order_id', '=', razorpay_order_id)
    .executeTakeFirst()
  if (unitemised?.user_id !== user._id) throw new ShopError('ORDER_NOT_FOUND')
  const ids = [razorpay_order_id, paymentId] as const
  if (!(await payments.isSigned(...ids, razorpay_signature))) throw new ShopError('INVALID_PAYMENT')
  try {
    const order =
      unitemised.state === 'open' ? await createPaidOrder(deps, unitemised, request) : undefined
    return order ?? (await findOrderOrRefund(deps, unitemised, paymentId))
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const { code, fields, quote } = error
    const reason = toErrorBody(error).message
    if (code === 'INVALID_INPUT')
      throw new ShopError(code, { ...(fields && { fields }), message: paidInputText(reason) })
    if (!REFUSALS.includes(code)) throw error
    const details = quote ? { quote } : { message: paidRefusalText(reason) }
    return findOrderOrRefund(deps, unitemised, paymentId, details)
  }
}

async function createPaidOrder(
  deps: CheckoutDeps,
  unitemised: UnitemisedPaymentRow,
  request: OrderRequest
): Promise<OrderRow | undefined> {
  const { id, user_id, provider_order_id, created_at: saleAt } = unitemised
  const parsed = readPaidOrder(request)
  const items = await addDrawnDiscounts(deps, user_id, parsed.items)
  const rules = await readShopRules(deps)
  const input = { ...parsed, items }
  const checkout = readPaidCheckout(input, toRupees(unitemised.total), rules.states)
  // The shopper has paid the prices of the time when the payment was created.
  const terms = { userId: user_id, saleAt, to: toDestination(checkout), rules: rules.delivery }
  const quoteNow = () => quoteLines(deps, checkout.items, terms)
  const buyer = {
    user_id,
    checkout_key: id,
    network: null,
    payment_mode: rules.paymentMode,
    provider_order_id
  }
  return reserveAtQuote({ checkout, rules, isPaid: true }, quoteNow, quote =>
    deps.write(
      async trx => {
        const locked = await lockUnitemised(trx, provider_order_id ?? '')
        if (locked?.state !== 'open') return undefined
        const order = await createReservedOrder(trx, buyer, { checkout, isPaid: true }, quote)
        if (!order) throw new StaleQuote()
        const used = { state: 'used', order_id: order.id, next_check_at: null } as const
        await updateUnitemised(trx, id, used).execute()
        return order
      },
      { shows: 'stock' }
    )
  )
}

/** A single pack at the price of a drawn discount uses this discount. */
async function addDrawnDiscounts(
  deps: CheckoutDeps,
  userId: string,
  items: UnitemisedOrder['items']
): Promise<CartEntry[]> {
  const discounts = (await readMyDiscounts(deps, userId, deps.clock())).filter(({ used }) => !used)
  return items.map(({ price, ...item }) => {
    if (item.dealId !== undefined || item.quantity !== 1) return item
    const drawn = discounts.find(
      discount =>
        discount.productId === item.product &&
        Math.abs(discount.price - Number(price)) < PRICE_TOLERANCE
    )
    return drawn ? { ...item, dealId: drawn.dealId } : item
  })
}

async function findOrderOrRefund(
  deps: CheckoutDeps,
  { id, provider_order_id }: UnitemisedPaymentRow,
  paymentId: string,
  details: { message?: string; quote?: Quote } = {}
): Promise<OrderRow> {
  const { database, write, clock, payments } = deps
  const refused = { state: 'refused', next_check_at: isoNow(clock) } as const
  const { numUpdatedRows } = await write(
    trx => updateUnitemised(trx, id, refused).where('state', '=', 'open').executeTakeFirstOrThrow(),
    { shows: 'stock' }
  )
  const existing =
    numUpdatedRows === 0n
      ? await findOrderByProviderOrder(database.kysely, provider_order_id ?? '')
      : undefined
  if (existing) return existing
  try {
    await reconcile(deps, await payments.gateway.fetchPayment(paymentId))
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
  }
  throw new ShopError('PAYMENT_REFUNDED', details)
}

export async function closeUnitemisedPayment(
  deps: CheckoutDeps,
  { id, provider_order_id, created_at }: UnitemisedPaymentRow
): Promise<void> {
  const { write, clock, payments, log } = deps
  const next_check_at = toIso(clock() + RETRY_AFTER)
  await write(
    async trx => {
      await updateUnitemised(trx, id, { next_check_at }).execute()
      await updateUnitemised(trx, id, { state: 'refused' }).where('state', '=', 'open').execute()
    },
    { shows: 'stock' }
  )
  if (provider_order_id !== null) {
    try {
      for (const payment of await payments.gateway.listOrderPayments(provider_order_id))
        await reconcile(deps, payment)
    } catch (error) {
      const isRefused = error instanceof PaymentError && error.kind === 'refused'
      if (!isRefused || clock() - Date.parse(created_at) < GIVE_UP_AGE) throw error
      log.error(
        { err: error, payment: id },
        'Provider has refused for a day to list a payment, giving up'
      )
    }
  }
  await write(trx => updateUnitemised(trx, id, { next_check_at: null }).execute(), {
    shows: 'nothing'
  })
}

function updateUnitemised(trx: Trx, id: string, changes: Partial<UnitemisedPaymentRow>) {
  return trx.updateTable('unitemised_payments').set(changes).where('id', '=', id)
}
