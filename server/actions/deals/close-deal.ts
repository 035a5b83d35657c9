import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../../clock.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { deleteDeal } from '../../queries/deals.ts'
import { remembered, type DealDeps } from './deal-rules.ts'

/**
 * Ends a deal at once, with the discounts that were drawn for it; with a version only one that nobody has changed since.
 * Throws ShopError DEAL_NOT_FOUND, EDIT_CONFLICT.
 */
export function closeDeal({ write, clock }: DealDeps, actor: Actor, id: string, version?: number): Promise<void> {
  return write(async trx => {
    const deal = await deleteDeal(trx, id)
    if (!deal) throw new ShopError('DEAL_NOT_FOUND')
    if (version !== undefined && version !== deal.version) throw new ShopError('EDIT_CONFLICT')
    await raiseCounter(trx, 'catalog')
    await record(trx, { actor, at: isoNow(clock), kind: 'deal', id, action: 'deleted', before: remembered(deal) })
  })
}
