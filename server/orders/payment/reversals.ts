import { text } from '#lib/contract/texts.ts'
import { KITCHEN_FILTERS } from '#lib/contract/names.ts'
import type { ReversalAcknowledgement } from '#lib/contract/desk.ts'
import { toPaise } from '#lib/money.ts'
import { type Actor, record } from '../../accounts/audit.ts'
import type { OrderRow, ReversalRow } from '../../platform/db/order-tables.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { lockRow } from '../../platform/db/write.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { isoNow, toIso } from '#lib/time.ts'
import type { ProviderDispute, ProviderRefund } from '../../razorpay/client.ts'
import { cancelByShop } from '../desk/cancel.ts'
import { readMailDeps } from '../mails.ts'
import { type CheckoutDeps, requireOrder, statusOf } from '../queries.ts'
import { reversalMail } from './mails.ts'
import { checkInSweep, forEachPage } from './reconcile.ts'
import {
  endPayment,
  findLastRefund,
  findOrderOf,
  findShopRefund,
  readBalance,
  replaceRefund,
  undoPaidByHand
} from './refunds.ts'
import { updateRefund } from './send-refunds.ts'
import { listSettledIds } from './transitions.ts'

const CANCELLATION_REASON = text('It will not be delivered, because the payment is being refunded.')

type Reversal = Pick<ReversalRow, 'id' | 'payment_id' | 'kind' | 'amount' | 'state'>

/** By the provider's status, otherwise `pending`. `void`: the money stays with the shop. */
const STATES: Partial<Record<string, ReversalRow['state']>> = {
  processed: 'returned',
  failed: 'void',
  lost: 'returned',
  won: 'void',
  closed: 'void'
}

/** Until it is acknowledged or void, the order can't be packed. A full refund cancels it. */
async function recordReversal(
  deps: CheckoutDeps,
  kind: Reversal['kind'],
  { id, payment_id, amount, status }: ProviderRefund | ProviderDispute
) {
  const state = STATES[status] ?? 'pending'
  const reversal = { id, payment_id, kind, amount: toPaise(amount), state }
  // Most are known already. They need no write.
  if (!(await findChange(deps.database.kysely, reversal))) return
  await deps.write(
    async trx => {
      await lockRow(trx, 'payments', payment_id)
      const change = await findChange(trx, reversal)
      if (change) await saveChange(trx, deps, reversal, change)
    },
    { shows: 'stock' }
  )
}

interface ReversalChange {
  order: OrderRow | undefined
  isNew: boolean
}

async function findChange(
  db: Db,
  { id, payment_id, state }: Reversal
): Promise<ReversalChange | undefined> {
  if (!(await listSettledIds(db, [payment_id])).has(payment_id)) return undefined
  const order = await findOrderOf(db, payment_id)
  const table = order ? 'reversals' : 'payment_reversals'
  const row = await db.selectFrom(table).select('state').where('id', '=', id).executeTakeFirst()
  const known = row?.state
  const isSame = known === state || (known === undefined && state === 'void')
  return isSame ? undefined : { order, isNew: known === undefined }
}

async function saveChange(
  trx: Trx,
  deps: CheckoutDeps,
  reversal: Reversal,
  { order, isNew }: ReversalChange
) {
  const now = deps.clock()
  const at = toIso(now)
  const { payment_id, kind, state } = reversal
  await saveReversal(trx, { ...reversal, created_at: at }, order)
  if (isNew && kind === 'refund') await undoPaidByHand(trx, reversal)
  const last = state === 'void' ? await findLastRefund(trx, payment_id) : undefined
  if (last) await replaceRefund(trx, last, { now })
  const { paid, processed, open } = await readBalance(trx, payment_id)
  const from = order && KITCHEN_FILTERS.find(status => status === statusOf(order))
  const isCancelled =
    kind === 'refund' && processed + open >= paid && order !== undefined && from !== undefined
  if (isCancelled) {
    const cancellation = { actor: null, from, reason: CANCELLATION_REASON, now }
    if (!(await cancelByShop(trx, deps, order, cancellation)))
      throw new Error(`Order ${order.id} has just changed`)
  }
  await endPayment(trx, payment_id)
  if (!isNew) return
  const mail = reversalMail(await readMailDeps(trx, deps), reversal, order, isCancelled)
  await enqueueMail(trx, mail, at)
}

export async function acknowledgeReversals(
  { write, clock }: CheckoutDeps,
  actor: Actor,
  orderId: string,
  { reversals }: ReversalAcknowledgement
): Promise<void> {
  const at = isoNow(clock)
  await write(
    async trx => {
      const acknowledged = await trx
        .updateTable('reversals')
        .set({ acknowledged_at: at })
        .where('order_id', '=', orderId)
        .where('id', 'in', reversals)
        .where('acknowledged_at', 'is', null)
        .returning('id')
        .execute()
      const after = { reversals: acknowledged.map(({ id }) => id).join(', ') }
      if (acknowledged.length === 0) await requireOrder(trx, orderId)
      else
        await record(trx, { actor, at, kind: 'order', id: orderId, action: 'acknowledged', after })
    },
    { shows: 'nothing' }
  )
}

export async function lookUpRefund(deps: CheckoutDeps, id: string): Promise<void> {
  await saveRefund(deps, await deps.payments.gateway.fetchRefund(id))
}

export async function lookUpRefundsOf(deps: CheckoutDeps, paymentId: string): Promise<void> {
  for (const refund of await deps.payments.gateway.listRefunds(paymentId))
    await saveRefund(deps, refund)
}

async function saveRefund(deps: CheckoutDeps, refund: ProviderRefund) {
  if (!(await updateRefund(deps, refund))) await recordReversal(deps, 'refund', refund)
}

export async function lookUpDispute(deps: CheckoutDeps, id: string): Promise<void> {
  await recordReversal(deps, 'dispute', await deps.payments.gateway.fetchDispute(id))
}

/** Finds what no webhook has reported: refunds of the last `back` ms and the newest disputes. */
export async function reconcileReversals(
  deps: CheckoutDeps,
  back: number,
  signal: AbortSignal | undefined
): Promise<void> {
  const { gateway } = deps.payments
  const check = (kind: Reversal['kind'], found: ProviderRefund | ProviderDispute) =>
    checkInSweep(deps, found.payment_id, () => recordReversal(deps, kind, found))
  await forEachPage(deps, back, signal, gateway.listRecentRefunds, async page => {
    for (const refund of page)
      if (!(await findShopRefund(deps.database.kysely, refund))) await check('refund', refund)
  })
  for (const dispute of await gateway.listDisputes()) await check('dispute', dispute)
}

/** A reversal of an order must be acknowledged again if it has a new state. */
async function saveReversal(
  trx: Trx,
  reversal: Reversal & Pick<ReversalRow, 'created_at'>,
  order: OrderRow | undefined
) {
  const { id, state, amount } = reversal
  if (!order) {
    await trx
      .insertInto('payment_reversals')
      .values(reversal)
      .onConflict(conflict => conflict.column('id').doUpdateSet({ state, amount }))
      .execute()
  } else {
    // The order may have been placed after the reversal.
    await trx.deleteFrom('payment_reversals').where('id', '=', id).execute()
    await trx
      .insertInto('reversals')
      .values({ ...reversal, order_id: order.id, acknowledged_at: null })
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet({ state, amount, acknowledged_at: null })
      )
      .execute()
  }
}
