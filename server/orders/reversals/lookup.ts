import type { ReversalRow } from '../../platform/db/order-tables.ts'
import { toPaise } from '#lib/money.ts'
import { PAGE_SIZE, type ProviderDispute, type ProviderRefund } from '../../razorpay/client.ts'
import type { CheckoutDeps } from '../reconcile.ts'
import { findOwnRefund, updateRefund } from '../refunds.ts'
import { recordReversal, type Reversal } from './record.ts'

/** `pending`: the result is open. `returned`: the money has gone back. `void`: the money stays with the shop. */
type State = ReversalRow['state']

const REFUND_STATES: Record<ProviderRefund['status'], State> = {
  pending: 'pending',
  processed: 'returned',
  failed: 'void'
}
/** All other states of a dispute are open. */
const DISPUTE_RESULTS: Partial<Record<string, State>> = { lost: 'returned', won: 'void', closed: 'void' }

/** Updates the shop's own refund, or records a refund made at the provider. Throws PaymentError. */
export async function lookUpRefund(deps: CheckoutDeps, id: string): Promise<void> {
  const refund = await deps.payments.gateway.fetchRefund(id)
  if (!(await updateRefund(deps, refund))) await recordReversal(deps, toRefundReversal(refund))
}

/** Throws PaymentError. */
export async function lookUpDispute(deps: CheckoutDeps, id: string): Promise<void> {
  await recordReversal(deps, toDisputeReversal(await deps.payments.gateway.fetchDispute(id)))
}

/** Finds reversals that no webhook has reported: refunds of the last `back` ms and the newest disputes. */
export async function findReversals(deps: CheckoutDeps, back: number, signal: AbortSignal | undefined): Promise<void> {
  const { gateway } = deps.payments
  const to = deps.clock()
  for (let skip = 0; !signal?.aborted; skip += PAGE_SIZE) {
    const page = await gateway.listRecentRefunds({ from: to - back, to, skip })
    for (const refund of page) {
      if (!(await findOwnRefund(deps.database.kysely, refund))) await recordReversal(deps, toRefundReversal(refund))
    }
    if (page.length < PAGE_SIZE) break
  }
  for (const dispute of await gateway.listDisputes()) await recordReversal(deps, toDisputeReversal(dispute))
}

function toRefundReversal({ id, payment_id, amount, status }: ProviderRefund): Reversal {
  return { id, payment_id, kind: 'refund', amount: toPaise(amount), state: REFUND_STATES[status] }
}

function toDisputeReversal({ id, payment_id, amount, status }: ProviderDispute): Reversal {
  return { id, payment_id, kind: 'dispute', amount: toPaise(amount), state: DISPUTE_RESULTS[status] ?? 'pending' }
}
