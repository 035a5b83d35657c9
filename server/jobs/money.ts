import { randomUUID } from 'node:crypto'
import { MINUTE, SECOND } from '#lib/time.ts'
import { checkBare } from '../actions/payments/check-bare.ts'
import { checkOrder } from '../actions/payments/check-order.ts'
import { processEvent } from '../actions/payments/receive-webhook.ts'
import { pursueRefund } from '../actions/payments/refunds.ts'
import { createSweep } from '../actions/payments/sweep-payments.ts'
import type { CheckoutDeps } from '../actions/checkout/deps.ts'
import { isoNow } from '../clock.ts'
import { PaymentError } from '../gateways/payments.ts'
import { listDueBare } from '../queries/orders/bare-payments.ts'
import { listDueOrders } from '../queries/orders/orders.ts'
import { listDueRefunds } from '../queries/orders/refunds.ts'
import { listDueEvents } from '../queries/orders/webhook-events.ts'
import { doWhatIsDue } from './due-work.ts'
import { startLoop, type Loop } from './loop.ts'

const EVERY = MINUTE
const BATCH = 5
const GRACE = 6 * SECOND

type Work = (deps: CheckoutDeps, holder: string, signal?: AbortSignal) => Promise<void>

/** What the provider has told, and what was cut short while it was looked into. */
export const workOffInbox: Work = (deps, holder, signal) => {
  const due = () => listDueEvents(deps.database.kysely, isoNow(deps.clock), BATCH)
  return doWhatIsDue(deps, { name: 'inbox', due, handle: event => processEvent(deps, event) }, holder, signal)
}

/** Payments that are awaited: the provider is asked, whether or not it has told us anything. */
export const checkPayments: Work = async (deps, holder, signal) => {
  const { kysely } = deps.database
  const orders = () => listDueOrders(kysely, isoNow(deps.clock), BATCH)
  await doWhatIsDue(deps, { name: 'orders', due: orders, handle: order => checkOrder(deps, order) }, holder, signal)
  const bare = () => listDueBare(kysely, isoNow(deps.clock), BATCH)
  await doWhatIsDue(deps, { name: 'bare payments', due: bare, handle: each => checkBare(deps, each) }, holder, signal)
}

/** Money that is to go back. */
export const sendRefunds: Work = (deps, holder, signal) => {
  const due = () => listDueRefunds(deps.database.kysely, isoNow(deps.clock), BATCH)
  return doWhatIsDue(deps, { name: 'refunds', due, handle: refund => pursueRefund(deps, refund) }, holder, signal)
}

/** Each in a loop of its own, so that a slow answer to one question holds up no other. Begins at once. */
export function startMoney(deps: CheckoutDeps): Loop[] {
  const sweep = createSweep(deps)
  const works: Work[] = [workOffInbox, checkPayments, sendRefunds, (_deps, _holder, signal) => sweep(signal)]
  const holder = randomUUID()
  return works.map(work =>
    startLoop({
      every: EVERY,
      grace: GRACE,
      run: signal => work(deps, holder, signal),
      failed: error => report(deps, error)
    })
  )
}

function report({ log }: CheckoutDeps, error: unknown): void {
  if (error instanceof PaymentError)
    log.warn({ err: error }, 'The payment provider could not be asked, it is tried again')
  else log.error({ err: error }, 'Payments could not be looked into, it is tried again')
}
