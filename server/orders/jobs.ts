import { randomUUID } from 'node:crypto'
import { MINUTE, SECOND } from '#lib/time.ts'
import { closeUnitemisedPayment } from './close-unitemised-payment.ts'
import { reconcileOrder } from './reconcile-order.ts'
import { processEvent } from './receive-webhook.ts'
import { processRefund } from './process-refund.ts'
import { createRecentReconciler } from './reconcile-recent.ts'
import type { CheckoutDeps } from './deps.ts'
import { isoNow } from '../platform/process/clock.ts'
import { PaymentError } from '../razorpay/payments.ts'
import { listDueUnitemised } from './unitemised-queries.ts'
import { listDueOrders } from './order-queries.ts'
import { listDueRefunds } from './refund-queries.ts'
import { listDueEvents } from './webhook-events.ts'
import { drainDueJobs } from '../platform/jobs/due-jobs.ts'
import { startLoop, type Loop } from '../platform/jobs/loop.ts'

const INTERVAL = MINUTE
const BATCH = 5
const GRACE_PERIOD = 6 * SECOND

type Job = (deps: CheckoutDeps, holder: string, signal?: AbortSignal) => Promise<void>

export const processWebhookEvents: Job = (deps, holder, signal) => {
  const listDue = () => listDueEvents(deps.database.kysely, isoNow(deps.clock), BATCH)
  return drainDueJobs(deps, { name: 'inbox', listDue, handle: event => processEvent(deps, event) }, holder, signal)
}

export const reconcilePayments: Job = async (deps, holder, signal) => {
  const { kysely } = deps.database
  const listOrders = () => listDueOrders(kysely, isoNow(deps.clock), BATCH)
  await drainDueJobs(
    deps,
    { name: 'orders', listDue: listOrders, handle: order => reconcileOrder(deps, order) },
    holder,
    signal
  )
  const listUnitemised = () => listDueUnitemised(kysely, isoNow(deps.clock), BATCH)
  await drainDueJobs(
    deps,
    { name: 'unitemised payments', listDue: listUnitemised, handle: payment => closeUnitemisedPayment(deps, payment) },
    holder,
    signal
  )
}

export const sendRefunds: Job = (deps, holder, signal) => {
  const listDue = () => listDueRefunds(deps.database.kysely, isoNow(deps.clock), BATCH)
  return drainDueJobs(deps, { name: 'refunds', listDue, handle: refund => processRefund(deps, refund) }, holder, signal)
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
