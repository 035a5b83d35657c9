import type { FastifyInstance } from 'fastify'
import { RESERVATION_TIME, toFinancialYear, toIso } from '#lib/time.ts'
import { fillEmptyProfile, findLiveUser } from '../../accounts/users.ts'
import { ringOrder } from '../../bell/bell.ts'
import { raiseCounter } from '../../platform/db/counters.ts'
import type {
  OrderLineRow,
  OrderPaymentState,
  OrderRow,
  RefundReason
} from '../../platform/db/order-tables.ts'
import type { Trx, UserRow } from '../../platform/db/tables.ts'
import { enqueueMails } from '../../platform/mail/outbox.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import type { ProviderPayment } from '../../razorpay/client.ts'
import { signPayment } from '../../razorpay/config.ts'
import { CONTACT_SECTIONS, toContact } from '../../settings/contact.ts'
import { readSections } from '../../settings/settings.ts'
import { SELLER_SECTIONS } from '../../settings/tax.ts'
import { readMoveReason } from '../checkout/rules.ts'
import { releaseReserved, reserveAgain } from '../checkout/reservations.ts'
import { type LinkDeps, readOrderLink } from '../link.ts'
import { placedMails, readMailDeps } from '../mails.ts'
import { customerOf, findLinesOf, findOrderByProviderOrder } from '../queries.ts'
import { storeTaxes } from '../tax/invoices.ts'
import { refusedMails } from './mails.ts'
import {
  lockUnitemised,
  markFree,
  markPaid,
  markRefundDue,
  PAID,
  revive,
  updateOrder,
  upsertPayment
} from './transitions.ts'
import { createRefund, findLastRefund } from './refunds.ts'

type SettleDeps = LinkDeps & Pick<FastifyInstance, 'payments'>

/** `unmatched`: the payment is of this shop, but its order is not in the database. */
export type Outcome =
  | 'paid'
  | 'refunded'
  | 'attempted'
  | 'unpaid'
  | 'foreign'
  | 'unmatched'
  | 'unitemised'

export interface Reconciled {
  outcome: Outcome
  order?: OrderRow | undefined
  isNew?: boolean
  lines?: readonly OrderLineRow[]
}

/** The payment is too late, or stock or a place on the day is missing. */
export class NotRevivedError extends Error {
  override readonly name = 'NotRevivedError'
}

/** The payment may belong to another shop. */
export class UnknownOrder extends Error {
  override readonly name = 'UnknownOrder'
}

const UNPAID_STATES: readonly OrderPaymentState[] = ['awaiting', 'expired', 'cancelled']

/** Exactly one paid order or one full refund, even if the payment is reported several times. */
export async function settle(
  trx: Trx,
  deps: SettleDeps,
  payment: ProviderPayment,
  now: number
): Promise<Reconciled> {
  await upsertPayment(trx, payment, now)
  const providerOrderId = payment.order_id ?? ''
  const paid = {
    paid_payment_id: payment.id,
    paid_at: toIso(now),
    signature: signPayment(
      await deps.payments.of(trx, providerOrderId),
      providerOrderId,
      payment.id
    )
  }
  const paidOnTime = await markPaid(trx, payment, paid)
  if (paidOnTime) return complete(paidOnTime)
  const found = await findOrderByProviderOrder(trx, providerOrderId)
  // Locked, because the browser may just place the order.
  const unitemised = found ? undefined : await lockUnitemised(trx, providerOrderId)
  if (unitemised?.state === 'open') return { outcome: 'unitemised' }
  const order = found ?? (unitemised && (await findOrderByProviderOrder(trx, providerOrderId)))
  if (!order) {
    const deleted = trx.selectFrom('deleted_checkouts').select('user_id')
    const checkout =
      unitemised ??
      (await deleted.where('provider_order_id', '=', providerOrderId).executeTakeFirst())
    if (!checkout) throw new UnknownOrder()
    const payer = await findLiveUser(trx, checkout.user_id)
    const reason = unitemised ? 'unclaimed' : 'too_late'
    return refundInFull(trx, deps, payment, { payer, reason }, now)
  }
  if (order.paid_payment_id === payment.id)
    return { outcome: order.payment_state === 'paid' ? 'paid' : 'refunded', order }
  if (!UNPAID_STATES.includes(order.payment_state))
    return refundInFull(trx, deps, payment, { order, reason: 'second_payment' }, now)
  if (payment.amount !== order.total || payment.currency !== order.currency)
    return refundInFull(trx, deps, payment, { order, reason: 'mismatch' }, now)
  const paidLate = await revive(trx, order.id, { ...paid, ...PAID }, payment)
  const revived = paidLate && (await reserveAgain(trx, paidLate, now))
  if (!revived) throw new NotRevivedError()
  return complete(revived)

  async function complete(paidOrder: OrderRow): Promise<Reconciled> {
    return { outcome: 'paid', ...(await completeOrder(trx, deps, paidOrder, now)), isNew: true }
  }
}

export async function settleFree(
  trx: Trx,
  deps: SettleDeps,
  { id }: OrderRow,
  now: number
): Promise<OrderRow> {
  const paidOrder = await markFree(trx, id, toIso(now))
  if (!paidOrder) throw new Error(`The free order ${id} is not new`)
  return (await completeOrder(trx, deps, paidOrder, now)).order
}

/** Returns undefined if the order has changed and may be paid by the payment. */
export async function refundLatePayment(
  trx: Trx,
  deps: SettleDeps,
  payment: ProviderPayment,
  now: number
): Promise<Reconciled | undefined> {
  await upsertPayment(trx, payment, now)
  const order = await findOrderByProviderOrder(trx, payment.order_id ?? '')
  if (!order) return undefined
  const at = toIso(now)
  const refundDue = await markRefundDue(trx, order, payment, at)
  if (!refundDue) return undefined
  if (order.payment_state === 'awaiting') await releaseReserved(trx, order.id, 'expired', at)
  return refundInFull(trx, deps, payment, { order: refundDue, reason: 'too_late' }, now)
}

export async function reserveForLatePayment(
  trx: Trx,
  { id }: OrderRow,
  payment: ProviderPayment,
  now: number
): Promise<void> {
  const at = toIso(now)
  const changes = {
    payment_state: 'awaiting',
    ended_at: null,
    reserved_until: toIso(now + RESERVATION_TIME),
    attempted_at: at,
    next_check_at: at
  } as const
  const reopened = await revive(trx, id, changes, payment)
  if (!reopened || !(await reserveAgain(trx, reopened, now))) throw new NotRevivedError()
}

async function completeOrder(
  trx: Trx,
  deps: SettleDeps,
  order: OrderRow,
  now: number
): Promise<{ order: OrderRow; lines: readonly OrderLineRow[] }> {
  const invoice_year = toFinancialYear(now)
  const lines = await findLinesOf(trx, order.id)
  const settings = await readSections(trx, [...SELLER_SECTIONS, ...CONTACT_SECTIONS])
  await fillEmptyProfile(trx, order.user_id, customerOf(order))
  const moveReason = await readMoveReason(trx, order, lines)
  const { facts, taxedLines } = await storeTaxes(trx, order, lines, settings, now)
  // Here all other payments wait for the commit, and no number is skipped if it fails.
  const invoice_no = await raiseCounter(trx, `invoices ${invoice_year}`)
  const numbered = await updateOrder(trx, order.id, {
    ...facts,
    invoice_year,
    invoice_no
  }).executeTakeFirstOrThrow()
  const orderLink = (await readOrderLink(trx, deps, order))?.link
  const mailDeps = { shop: await toContact(trx, settings), config: deps.config, orderLink }
  await enqueueMails(trx, placedMails(mailDeps, numbered, taxedLines, moveReason), toIso(now))
  await ringOrder(trx, 'order', numbered, toIso(now))
  reachFailpoint('settle-precommit')
  return { order: numbered, lines: taxedLines }
}

async function refundInFull(
  trx: Trx,
  deps: SettleDeps,
  payment: ProviderPayment,
  refund: { order?: OrderRow; payer?: UserRow | undefined; reason: RefundReason },
  now: number
): Promise<Reconciled> {
  const { order, reason } = refund
  const isKnown = (await findLastRefund(trx, payment.id)) !== undefined
  const request = { orderId: order?.id ?? null, reason, now }
  if (!isKnown && (await createRefund(trx, payment.id, request)) > 0) {
    const mails = refusedMails(await readMailDeps(trx, deps, order), { payment, ...refund })
    await enqueueMails(trx, mails, toIso(now))
  }
  return { outcome: 'refunded', order }
}
