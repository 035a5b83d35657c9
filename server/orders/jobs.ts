import { randomUUID } from 'node:crypto'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { isLive } from '../live-shop/live-shop.ts'
import type { OrderRow, RefundRow, UnitemisedPaymentRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { drainDueJobs } from '../platform/jobs/due-jobs.ts'
import { takeLease } from '../platform/jobs/leases.ts'
import { startLoop, type Loop } from '../platform/jobs/loop.ts'
import { PAGE_SIZE, PaymentError, type ProviderPayment } from '../razorpay/client.ts'
import { ORDER_MAIL_PREFIX } from './mails.ts'
import { anonymiseOrders, clearMailText, hasOrderAwaitingPayment, listDueOrders } from './order-queries.ts'
import { deleteOldEvents, listDueEvents, listDueUnitemised, listSettledIds } from './payment-queries.ts'
import { reconcile, reconcileOrder, type CheckoutDeps } from './reconcile.ts'
import { listDueRefunds, processRefund } from './refunds.ts'
import { findReversals } from './reversals/lookup.ts'
import { closeUnitemisedPayment } from './unitemised-payments.ts'
import { deleteUnattemptedCheckouts } from './unmatched/deleted-checkouts.ts'
import { processEvent } from './webhooks.ts'

type Job = (deps: CheckoutDeps, holder: string, signal?: AbortSignal) => Promise<void>

const INTERVAL = MINUTE
/** Webhook events are stored for a month, because Razorpay's dashboard can resend an event for two weeks. */
const EVENT_RETENTION = 30 * DAY
const UNATTEMPTED_RETENTION = 7 * DAY
const MAIL_RETENTION = 90 * DAY
const GRACE_PERIOD = 6 * SECOND

/** Payments created in the last `back` ms are checked, because some are authorised only days after their creation. */
const WINDOWS = [
  { name: 'sweep of two days', back: 2 * DAY, every: 10 * MINUTE },
  { name: 'sweep of six days', back: 6 * DAY, every: DAY }
] as const

/** Ids of payments of other shops that use the same Razorpay account. These payments are not looked up again. */
const foreignPayments = new Set<string>()
const MAX_FOREIGN_PAYMENTS = 5000

export const processWebhookEvents: Job = (deps, holder, signal) => {
  const listDue = (now: string) => listDueEvents(deps.database.kysely, now)
  return drainDueJobs(deps, { name: 'inbox', listDue, handle: event => processEvent(deps, event) }, holder, signal)
}

export const reconcilePayments: Job = async (deps, holder, signal) => {
  const { kysely } = deps.database
  const orders = {
    name: 'orders',
    listDue: (now: string) => listDueOrders(kysely, now),
    handle: (order: OrderRow) => reconcileOrder(deps, order)
  }
  const unitemisedPayments = {
    name: 'unitemised payments',
    listDue: (now: string) => listDueUnitemised(kysely, now),
    handle: (payment: UnitemisedPaymentRow) => closeUnitemisedPayment(deps, payment)
  }
  await drainDueJobs(deps, orders, holder, signal)
  await drainDueJobs(deps, unitemisedPayments, holder, signal)
}

export const sendRefunds: Job = async (deps, holder, signal) => {
  // A refund that waits must not count as one that the provider refuses.
  if (!(await isLive(deps))) return
  const listDue = (now: string) => listDueRefunds(deps.database.kysely, now)
  const refunds = { name: 'refunds', listDue, handle: (refund: RefundRow) => processRefund(deps, refund) }
  await drainDueJobs(deps, refunds, holder, signal)
}

/** Each job has its own loop, so that a slow job does not delay the others. */
export function startPaymentJobs(deps: CheckoutDeps): Loop[] {
  const reconcileRecent = createRecentReconciler(deps)
  const jobs: Job[] = [
    processWebhookEvents,
    reconcilePayments,
    sendRefunds,
    (_deps, _holder, signal) => reconcileRecent(signal)
  ]
  const holder = randomUUID()
  return jobs.map(work =>
    startLoop({
      interval: INTERVAL,
      gracePeriod: GRACE_PERIOD,
      run: signal => work(deps, holder, signal),
      onError: error => logError(deps, error)
    })
  )
}

function logError({ log }: CheckoutDeps, error: unknown): void {
  if (error instanceof PaymentError) log.warn({ err: error }, 'Payment provider unavailable, will retry')
  else log.error({ err: error }, 'Payment job failed, will retry')
}

/** Finds payments, refunds and disputes that neither the browser nor a webhook has reported. Throws PaymentError. */
export function createRecentReconciler(deps: CheckoutDeps): (signal?: AbortSignal) => Promise<void> {
  const { write, clock, database } = deps
  const lastTried = new Map<string, number>()

  // The lease ensures that only one process lists the payments of this window in each interval.
  async function isDue({ name, every }: (typeof WINDOWS)[number]): Promise<boolean> {
    const now = clock()
    const elapsed = now - (lastTried.get(name) ?? -Infinity)
    // Less than 0 after a clock error was corrected.
    if (elapsed >= 0 && elapsed < every) return false
    lastTried.set(name, now)
    return write(trx => takeLease(trx, name, randomUUID(), every, ms => new Date(now + ms).toISOString()))
  }

  return async signal => {
    let back = (await hasOrderAwaitingPayment(database.kysely)) ? HOUR : 0
    for (const window of WINDOWS) if (await isDue(window)) back = Math.max(back, window.back)
    if (back > 0) await reconcileWindow(deps, back, signal)
    if (back > HOUR) await findReversals(deps, back, signal)
  }
}

async function reconcileWindow(deps: CheckoutDeps, back: number, signal: AbortSignal | undefined): Promise<void> {
  const to = deps.clock()
  for (let skip = 0; !signal?.aborted; skip += PAGE_SIZE) {
    const page = await deps.payments.gateway.listPayments({ from: to - back, to, skip })
    await reconcilePage(deps, page)
    if (page.length < PAGE_SIZE) return
  }
}

async function reconcilePage(deps: CheckoutDeps, page: readonly ProviderPayment[]): Promise<void> {
  const payable = page.filter(({ id, status }) => /^(authorized|captured)$/.test(status) && !foreignPayments.has(id))
  const settled = await listSettledIds(
    deps.database.kysely,
    payable.map(({ id }) => id)
  )
  for (const payment of payable) {
    if (settled.has(payment.id)) continue
    const { kind } = await reconcile(deps, payment)
    if (kind !== 'foreign') continue
    if (foreignPayments.size >= MAX_FOREIGN_PAYMENTS) foreignPayments.clear()
    foreignPayments.add(payment.id)
  }
}

export async function deleteExpiredOrderData(trx: Trx, now: number): Promise<void> {
  await deleteUnattemptedCheckouts(trx, new Date(now - UNATTEMPTED_RETENTION).toISOString())
  await deleteOldEvents(trx, new Date(now - EVENT_RETENTION).toISOString())
  await clearMailText(trx, `${ORDER_MAIL_PREFIX}%`, new Date(now - MAIL_RETENTION).toISOString())
  await anonymiseOrders(trx, new Date(now).toISOString())
}
