import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { deleteDeal } from './queries.ts'
import { toAuditFields, type DealDeps } from './deal-rules.ts'

/** Deletes a deal and the discounts drawn for it. Throws DEAL_NOT_FOUND, EDIT_CONFLICT. */
export function removeDeal({ write, clock }: DealDeps, actor: Actor, id: string, version?: number): Promise<void> {
  return write(async trx => {
    const deal = await deleteDeal(trx, id)
    if (!deal) throw new ShopError('DEAL_NOT_FOUND')
    if (version !== undefined && version !== deal.version) throw new ShopError('EDIT_CONFLICT')
    await raiseCounter(trx, 'catalog')
    await record(trx, { actor, at: isoNow(clock), kind: 'deal', id, action: 'deleted', before: toAuditFields(deal) })
  })
}
