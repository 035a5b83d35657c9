import type { FastifyInstance } from 'fastify'
import { RESERVATION_TIME, toFinancialYear } from '#lib/time.ts'
import { fillEmptyProfile, findLiveUser } from '../../accounts/users.ts'
import { raiseCounter } from '../../platform/db/counters.ts'
import type { OrderPaymentState, OrderRow } from '../../platform/db/order-tables.ts'
import type { RefundReason, UnitemisedPaymentRow } from '../../platform/db/payment-tables.ts'
import type { Trx, UserRow } from '../../platform/db/tables.ts'
import { enqueueMails } from '../../platform/mail/outbox.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { toIso } from '../../platform/process/clock.ts'
import type { ProviderPayment } from '../../razorpay/client.ts'
import { signPayment } from '../../razorpay/signatures.ts'
import { placedMails, readMailDeps, refusedMails } from '../mails.ts'
import { customerOf, findLinesOf, findOrderByProviderOrder } from '../queries.ts'
import { readMoveReason } from '../checkout/delivery.ts'
import { closePaymentEvents, lockUnitemised, upsertPayment } from './queries.ts'
import { createRefund, findLastRefund } from './refunds.ts'
import { releaseReserved, reserveAgain } from '../checkout/reservations.ts'
import { storeTaxes } from '../tax/invoices.ts'
import {
  awaitPaymentAgain,
  markLatePaid,
  markPaid,
  markRefundDue,
  numberInvoice
} from './transitions.ts'
import { findDeletedCheckout } from './deleted-checkouts.ts'

type SettleDeps = Pick<FastifyInstance, 'config' | 'payments'>

export type Settled =
  | { kind: 'paid'; order: OrderRow; isNew: boolean }
  /** `order` is undefined if the payment belongs to no known order. */
  | { kind: 'refunded'; order: OrderRow | undefined }
  | { kind: 'unitemised' }

/**
 * Thrown if an unpaid order stays as it is: the payment is too late, or stock or a place on the day
 * is missing.
 */
export class NotRevivedError extends Error {
  override readonly name = 'NotRevivedError'
}

/**
 * Thrown if no checkout in our database has or had this provider order. The payment may belong to
 * another shop.
 */
export class UnknownOrder extends Error {
  override readonly name = 'UnknownOrder'
}

const UNPAID_STATES: readonly OrderPaymentState[] = ['awaiting', 'expired', 'cancelled']

/**
 * Turns a captured payment into exactly one paid order or one full refund, even if the payment is
 * reported several times. Only saves a payment without a list of items whose order has not been
 * placed yet. `now` is in ms. Throws NotRevivedError, UnknownOrder.
 */
export async function settle(
  trx: Trx,
  deps: SettleDeps,
  payment: ProviderPayment,
  now: number
): Promise<Settled> {
  const providerOrderId = payment.order_id ?? ''
  const [, unitemised] = await Promise.all([
    upsertPayment(trx, payment, now),
    lockUnitemised(trx, providerOrderId)
  ])
  // Read after the lock, because the browser may just have placed the order of an unitemised
  // payment.
  const order = await findOrderByProviderOrder(trx, providerOrderId)
  if (!order) return settleWithoutOrder(trx, deps, { payment, unitemised }, now)
  if (payment.amount !== order.total || payment.currency !== order.currency) {
    return refundInFull(trx, deps, payment, { order, reason: 'mismatch' }, now)
  }
  if (order.paid_payment_id === payment.id)
    return { kind: order.payment_state === 'paid' ? 'paid' : 'refunded', order, isNew: false }
  const paymentFields = {
    paid_payment_id: payment.id,
    paid_at: toIso(now),
    signature: signPayment(deps.payments.settings, providerOrderId, payment.id)
  }
  const paidOnTime = await markPaid(trx, order.id, paymentFields, payment)
  if (paidOnTime)
    return { kind: 'paid', order: await completeOrder(trx, deps, paidOnTime, now), isNew: true }
  const paidLate = await markLatePaid(trx, order.id, paymentFields, payment)
  if (!paidLate && UNPAID_STATES.includes(order.payment_state)) throw new NotRevivedError()
  if (!paidLate) return refundInFull(trx, deps, payment, { order, reason: 'second_payment' }, now)
  const revived = await reserveAgain(trx, paidLate, now)
  if (!revived) throw new NotRevivedError()
  return { kind: 'paid', order: await completeOrder(trx, deps, revived, now), isNew: true }
}

async function settleWithoutOrder(
  trx: Trx,
  deps: SettleDeps,
  {
    payment,
    unitemised
  }: { payment: ProviderPayment; unitemised: UnitemisedPaymentRow | undefined },
  now: number
): Promise<Settled> {
  if (unitemised?.state === 'open') return { kind: 'unitemised' }
  const checkout = unitemised ?? (await findDeletedCheckout(trx, payment.order_id ?? ''))
  if (!checkout) throw new UnknownOrder()
  const payer = await findLiveUser(trx, checkout.user_id)
  const reason = unitemised ? 'unclaimed' : 'too_late'
  return refundInFull(trx, deps, payment, { order: undefined, payer, reason }, now)
}

export async function settleFree(
  trx: Trx,
  deps: SettleDeps,
  order: OrderRow,
  now: number
): Promise<OrderRow> {
  const paidFields = { paid_payment_id: null, paid_at: toIso(now), signature: null }
  const paidOrder = await markPaid(trx, order.id, paidFields, undefined)
  if (!paidOrder) throw new Error(`The free order ${order.id} is not new`)
  return completeOrder(trx, deps, paidOrder, now)
}

/**
 * Refunds a payment that came too late. Returns undefined if the order has changed and may be paid
 * by it.
 */
export async function refundLatePayment(
  trx: Trx,
  deps: SettleDeps,
  payment: ProviderPayment,
  now: number
): Promise<Settled | undefined> {
  await upsertPayment(trx, payment, now)
  const order = await findOrderByProviderOrder(trx, payment.order_id ?? '')
  if (!order) return undefined
  const at = toIso(now)
  const refundDue = await markRefundDue(trx, order, payment, at)
  if (!refundDue) return undefined
  if (order.payment_state === 'awaiting') await releaseReserved(trx, order.id, 'expired', at)
  return refundInFull(trx, deps, payment, { order: refundDue, reason: 'too_late' }, now)
}

/** Reopens an expired or cancelled order for an authorised payment. Throws NotRevivedError. */
export async function reserveForLatePayment(
  trx: Trx,
  order: OrderRow,
  payment: ProviderPayment,
  now: number
): Promise<void> {
  const at = toIso(now)
  const reservedUntil = toIso(now + RESERVATION_TIME)
  const changes = { reserved_until: reservedUntil, attempted_at: at, next_check_at: at }
  const reopened = await awaitPaymentAgain(trx, order.id, changes, payment)
  if (!reopened || !(await reserveAgain(trx, reopened, now))) throw new NotRevivedError()
}

async function completeOrder(
  trx: Trx,
  deps: SettleDeps,
  order: OrderRow,
  now: number
): Promise<OrderRow> {
  const year = toFinancialYear(now)
  const [lines, mailDeps] = await Promise.all([
    findLinesOf(trx, order.id),
    readMailDeps(trx, deps),
    fillEmptyProfile(trx, order.user_id, customerOf(order)),
    order.paid_payment_id === null ? undefined : closePaymentEvents(trx, order.paid_payment_id)
  ])
  const moveReason = await readMoveReason(trx, order, lines)
  const { facts, taxedLines } = await storeTaxes(trx, order, lines, now)
  // The invoice number is assigned in the same transaction as the payment, so that no number is
  // skipped. From here on all other payments wait for the commit, so only the mails follow, which
  // contain the number.
  const counter = `invoices ${year}`
  const [, numbered] = await Promise.all([
    raiseCounter(trx, counter),
    numberInvoice(trx, order.id, { ...facts, invoice_year: year, counter })
  ])
  await enqueueMails(trx, placedMails(mailDeps, numbered, taxedLines, moveReason), toIso(now))
  reachFailpoint('settle-precommit')
  return numbered
}

async function refundInFull(
  trx: Trx,
  deps: SettleDeps,
  payment: ProviderPayment,
  {
    order,
    payer,
    reason
  }: { order: OrderRow | undefined; payer?: UserRow | undefined; reason: RefundReason },
  now: number
): Promise<Settled> {
  const isKnown = (await findLastRefund(trx, payment.id)) !== undefined
  if (
    !isKnown &&
    (await createRefund(trx, payment.id, { orderId: order?.id ?? null, reason }, { now })) > 0
  )
    await enqueueMails(
      trx,
      refusedMails(await readMailDeps(trx, deps), { payment, order, payer, reason }),
      toIso(now)
    )
  return { kind: 'refunded', order }
}
