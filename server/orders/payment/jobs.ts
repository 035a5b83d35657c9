import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { ShopError } from '#lib/errors.ts'
import {
  DAY,
  type EpochMs,
  HOUR,
  type IsoTime,
  MINUTE,
  RESERVATION_TIME,
  SECOND,
  toIso
} from '#lib/time.ts'
import { isLive } from '../../live-shop/live-shop.ts'
import { LAST_SWEEPS, readCounters, setCounter } from '../../platform/db/counters.ts'
import { isUnavailable } from '../../platform/db/failures.ts'
import type {
  OrderRow,
  RefundRow,
  UnitemisedPaymentRow,
  WebhookEventRow
} from '../../platform/db/order-tables.ts'
import { countRows } from '../../platform/db/search.ts'
import type { Db } from '../../platform/db/tables.ts'
import { drainDueJobs, listDueRows, type Loop, startLoop } from '../../platform/process/jobs.ts'
import { PaymentError, type ProviderPayment } from '../../razorpay/client.ts'
import type { CheckoutDeps } from '../queries.ts'
import { listSettledIds } from './transitions.ts'
import { checkInSweep, forEachPage, reconcile, reconcileOrder } from './reconcile.ts'
import { processRefund } from './send-refunds.ts'
import { lookUpRefundsOf, reconcileReversals } from './reversals.ts'
import { closeUnitemisedPayment } from '../checkout/unitemised.ts'
import { processEvent } from './reports.ts'

type Job = (deps: CheckoutDeps, holder: string, signal?: AbortSignal) => Promise<void>

/** As long as a lease, so that another process takes over within a minute. */
const INTERVAL = 30 * SECOND
const GRACE_PERIOD = 6 * SECOND

/** Some payments are authorised days after their creation. */
const SHORT_SWEEP = { name: LAST_SWEEPS.short, back: 2 * DAY, every: 10 * MINUTE }
const LONG_SWEEP = { name: LAST_SWEEPS.long, back: 6 * DAY, every: DAY }
type Sweep = typeof SHORT_SWEEP | typeof LONG_SWEEP

/** Payments of other shops with the same Razorpay account are not looked up again. */
const foreignPayments = new Set<string>()
const MAX_FOREIGN_PAYMENTS = 5000

export const processWebhookEvents: Job = (deps, holder, signal) => {
  const events = deps.database.kysely.selectFrom('webhook_events').selectAll()
  const inbox = {
    name: 'inbox',
    listDue: (now: IsoTime) => listDueRows(events, 'next_at', now),
    handle: (event: WebhookEventRow) => processEvent(deps, event)
  }
  return drainDueJobs(deps, inbox, holder, signal)
}

export const reconcilePayments: Job = async (deps, holder, signal) => {
  const { kysely } = deps.database
  const orders = kysely.selectFrom('orders').selectAll()
  const unpaid = {
    name: 'orders',
    listDue: (now: IsoTime) => listDueRows(orders, 'next_check_at', now),
    handle: (order: OrderRow) => reconcileOrder(deps, order)
  }
  const payments = kysely.selectFrom('unitemised_payments').selectAll()
  const unitemised = {
    name: 'unitemised payments',
    listDue: (now: IsoTime) => listDueRows(payments, 'next_check_at', now),
    handle: (payment: UnitemisedPaymentRow) => closeUnitemisedPayment(deps, payment)
  }
  await drainDueJobs(deps, unpaid, holder, signal)
  await drainDueJobs(deps, unitemised, holder, signal)
}

export const sendRefunds: Job = async (deps, holder, signal) => {
  // A copy of the live shop sends no refunds. Trying would count as failed attempts.
  if (!(await isLive(deps))) return
  const due = deps.database.kysely.selectFrom('refunds').selectAll()
  const refunds = {
    name: 'refunds',
    listDue: (now: IsoTime) => listDueRows(due, 'next_at', now),
    handle: (refund: RefundRow) =>
      processRefund(deps, refund, () => lookUpRefundsOf(deps, refund.payment_id))
  }
  await drainDueJobs(deps, refunds, holder, signal)
}

export const reconcileRecent: Job = async (deps, holder, signal) => {
  const { kysely } = deps.database
  const since = toIso(deps.clock() - RESERVATION_TIME - MINUTE)
  if (await hasPayableOrder(kysely, since)) await reconcileWindow(deps, HOUR, signal)
  const sweeps = {
    name: 'sweeps',
    listDue: () => listDueSweeps(kysely, deps.clock()),
    handle: (sweep: Sweep) => runSweep(deps, sweep, signal)
  }
  await drainDueJobs(deps, sweeps, holder, signal)
}

/** Each job has its own loop, so that a slow job does not delay the others. */
export function startPaymentJobs(deps: CheckoutDeps): Loop[] {
  const holder = randomUUID()
  return [processWebhookEvents, reconcilePayments, sendRefunds, reconcileRecent].map(work =>
    startLoop({
      interval: INTERVAL,
      gracePeriod: GRACE_PERIOD,
      run: signal => work(deps, holder, signal),
      onError: error => logError(deps, error)
    })
  )
}

function logError({ log }: CheckoutDeps, err: unknown) {
  const cause = err instanceof ShopError ? err.cause : err
  if (err instanceof PaymentError) log.warn({ err }, 'Payment provider unavailable, will retry')
  else if (isUnavailable(cause)) log.warn({ err }, 'Database unavailable, payment jobs will retry')
  else log.error({ err }, 'Payment job failed, will retry')
}

async function listDueSweeps(db: Db, now: EpochMs): Promise<Sweep[]> {
  const ends = await readCounters(db, [SHORT_SWEEP.name, LONG_SWEEP.name])
  // An end in the future was saved while a clock was wrong.
  const isDue = ({ name, every }: Sweep) => Math.abs(now - (ends[name] ?? 0)) >= every
  return [LONG_SWEEP, SHORT_SWEEP].filter(isDue).slice(0, 1)
}

/** A payment could pay an open order, or revive one that was opened after `since`. */
async function hasPayableOrder(db: Db, since: IsoTime) {
  const orders = db.selectFrom('orders').where('provider_order_id', 'is not', null)
  const awaiting = orders.where('payment_state', '=', sql.lit('awaiting'))
  const released = orders
    .where('created_at', '>', since)
    .where('payment_state', 'in', ['expired', 'cancelled'])
  return (await countRows(awaiting)) > 0 || (await countRows(released)) > 0
}

async function runSweep(deps: CheckoutDeps, sweep: Sweep, signal: AbortSignal | undefined) {
  await reconcileWindow(deps, sweep.back, signal)
  await reconcileReversals(deps, sweep.back, signal)
  if (signal?.aborted) return
  const end = deps.clock()
  await deps.write(
    async trx => {
      await setCounter(trx, SHORT_SWEEP.name, end)
      if (sweep === LONG_SWEEP) await setCounter(trx, LONG_SWEEP.name, end)
    },
    { shows: 'stock' }
  )
}

function reconcileWindow(deps: CheckoutDeps, back: number, signal: AbortSignal | undefined) {
  const { listPayments } = deps.payments.gateway
  return forEachPage(deps, back, signal, listPayments, page => reconcilePage(deps, page))
}

async function reconcilePage(deps: CheckoutDeps, page: readonly ProviderPayment[]) {
  const payable = page.filter(
    ({ id, status }) => /^(authorized|captured)$/.test(status) && !foreignPayments.has(id)
  )
  const settled = await listSettledIds(
    deps.database.kysely,
    payable.map(({ id }) => id)
  )
  for (const payment of payable) {
    if (!settled.has(payment.id))
      await checkInSweep(deps, payment.id, async () => {
        const { outcome } = await reconcile(deps, payment)
        if (outcome !== 'foreign') return
        if (foreignPayments.size >= MAX_FOREIGN_PAYMENTS) foreignPayments.clear()
        foreignPayments.add(payment.id)
      })
  }
}
