import { t } from '#lib/contract/texts.ts'
import { formatPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { DAY, HOUR, MINUTE, toIso } from '#lib/time.ts'
import { ring } from '../../bell/bell.ts'
import type { RefundRow } from '../../platform/db/order-tables.ts'
import { countRows } from '../../platform/db/search.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { postponeRow } from '../../platform/process/jobs.ts'
import { enqueueMail, enqueueMails } from '../../platform/mail/outbox.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { PaymentError, type ProviderRefund } from '../../razorpay/client.ts'
import { readMailDeps } from '../mails.ts'
import { findOrder, type CheckoutDeps } from '../queries.ts'
import { refundedMails, refundStuckMail } from './mails.ts'
import { lockRow } from '../../platform/db/write.ts'
import {
  changeRefund,
  endPayment,
  findRefund,
  findShopRefund,
  hasTooMuch,
  lockBalance,
  replaceRefund,
  dueNow,
  readBalance
} from './refunds.ts'

/** Of refunds of one part that fail at the provider. After the last one, the shop gets a mail. */
const MAX_REFUNDS = 3
const ALERT_AFTER_ATTEMPTS = 5
const CHECK_INTERVAL = HOUR
/** At this age, a refund that the provider refuses is no longer sent or checked. */
const GIVE_UP_AGE = DAY

export async function processRefund(
  deps: CheckoutDeps,
  refund: RefundRow,
  lookUp: () => Promise<void>
): Promise<void> {
  const { gateway } = deps.payments
  const isDue = refund.state === 'due'
  try {
    if (isDue) {
      // An earlier reply may have been lost, or the money sent back in the dashboard.
      await lookUp()
      if (!(await deps.write(trx => isStillDue(trx, refund, deps.clock()), { shows: 'nothing' })))
        return
    }
    const found = isDue
      ? await gateway.refund(refund.payment_id, refund.id, refund.body)
      : await gateway.fetchRefund(refund.provider_refund_id ?? '')
    reachFailpoint('after-refund')
    await applyProviderRefund(deps, refund, found)
  } catch (error) {
    await retryOrStop(deps, refund, error)
    throw error
  }
}

/** If more has gone back than must, a new refund has the rest, with a key of its own. */
async function isStillDue(trx: Trx, { id, payment_id }: RefundRow, now: number) {
  const balance = await lockBalance(trx, payment_id)
  const refund = await findRefund(trx, id)
  if (refund?.state !== 'due') return false
  if (!hasTooMuch(balance)) return true
  await changeRefund(trx, id, ['due'], { state: 'failed', next_at: null })
  await replaceRefund(trx, refund, { now })
  await endPayment(trx, payment_id)
  return false
}

/** Stops after a day of refusals, for example because the payment is of a former account. */
async function retryOrStop(deps: CheckoutDeps, refund: RefundRow, error: unknown) {
  const { id, state, payment_id, attempts, created_at } = refund
  const now = deps.clock()
  const isStopped =
    error instanceof PaymentError &&
    error.kind === 'refused' &&
    attempts >= ALERT_AFTER_ATTEMPTS &&
    now - Date.parse(created_at) >= GIVE_UP_AGE
  await deps.write(
    async trx => {
      if (!isStopped) {
        const delay = Math.min(MINUTE * 2 ** attempts, HOUR)
        await postponeRow(trx, 'refunds', id, toIso(now + delay))
        if (attempts + 1 === ALERT_AFTER_ATTEMPTS) await mailStuck(trx, deps, refund, false, now)
        return
      }
      await lockRow(trx, 'payments', payment_id)
      const changes = { state: 'failed', provider_refund_id: null, next_at: null } as const
      const stopped = await changeRefund(trx, id, [state], changes)
      if (stopped) await endFailed(trx, deps, stopped, now)
    },
    { shows: 'nothing' }
  )
}

async function endFailed(trx: Trx, deps: CheckoutDeps, refund: RefundRow, now: number) {
  const amount = dueNow(await readBalance(trx, refund.payment_id))
  if (amount > 0) await mailStuck(trx, deps, { ...refund, amount }, true, now)
  await endPayment(trx, refund.payment_id)
}

async function mailStuck(
  trx: Trx,
  deps: CheckoutDeps,
  refund: RefundRow,
  isStopped: boolean,
  now: number
) {
  const at = toIso(now)
  const mail = refundStuckMail(await readMailDeps(trx, deps), refund, { isStopped, at })
  await enqueueMail(trx, mail, at)
  const compose = () => ({
    title: t('A refund of {amount} failed', { amount: formatPaise(refund.amount) }),
    path: `${paths.adminOrders}${refund.order_id === null ? '' : `?order=${refund.order_id}`}`
  })
  await ring(trx, { id: mail.id, kind: 'problem', at, compose })
}

export async function updateRefund(
  deps: CheckoutDeps,
  providerRefund: ProviderRefund
): Promise<boolean> {
  const refund = await findShopRefund(deps.database.kysely, providerRefund)
  const isEnded = refund?.next_at === null && refund.provider_refund_id !== null
  if (refund && !isEnded) await applyProviderRefund(deps, refund, providerRefund)
  return refund !== undefined
}

function applyProviderRefund(deps: CheckoutDeps, refund: RefundRow, found: ProviderRefund) {
  const now = deps.clock()
  return deps.write(
    async trx => {
      await lockRow(trx, 'payments', refund.payment_id)
      if (found.status === 'failed') await replaceFailedRefund(trx, deps, refund, found.id, now)
      else await saveProgress(trx, deps, refund, found, now)
    },
    { shows: 'nothing' }
  )
}

async function saveProgress(
  trx: Trx,
  deps: CheckoutDeps,
  { id, payment_id, next_at }: RefundRow,
  { id: provider_refund_id, status }: ProviderRefund,
  now: number
) {
  const isProcessed = status === 'processed'
  const nextCheck = { attempts: 0, next_at: isProcessed ? null : toIso(now + CHECK_INTERVAL) }
  const state = isProcessed ? 'processed' : 'sent'
  // A refund that was withdrawn or given up may have been made after all.
  const from = isProcessed ? (['due', 'sent', 'failed'] as const) : (['due', 'failed'] as const)
  const changes = { ...nextCheck, state, provider_refund_id } as const
  const updated = await changeRefund(trx, id, from, changes)
  if (isProcessed) await endPayment(trx, payment_id)
  const order = updated?.order_id ? await findOrder(trx, updated.order_id) : undefined
  if (updated && order) {
    const mails = refundedMails(await readMailDeps(trx, deps, order), order, updated)
    await enqueueMails(trx, mails, toIso(now))
  }
  // A check that finds no news is no failed attempt. A stopped refund stays stopped.
  if (!updated && !isProcessed && next_at !== null) await changeRefund(trx, id, ['sent'], nextCheck)
}

async function replaceFailedRefund(
  trx: Trx,
  deps: CheckoutDeps,
  { id, payment_id, part }: RefundRow,
  provider_refund_id: string,
  now: number
) {
  const changes = { state: 'failed', provider_refund_id, next_at: null } as const
  const failed = await changeRefund(trx, id, ['due', 'sent'], changes)
  if (!failed) return
  const failures = trx
    .selectFrom('refunds')
    .where('payment_id', '=', payment_id)
    .where('part', '=', part)
    .where('state', '=', 'failed')
    .where('provider_refund_id', 'is not', null)
  if ((await countRows(failures)) < MAX_REFUNDS)
    await replaceRefund(trx, failed, { now, delay: HOUR })
  await endFailed(trx, deps, failed, now)
}
