import { ShopError } from '#lib/errors.ts'
import { isoNow, type Clock } from '../../clock.ts'
import type { Write } from '../../db/write.ts'
import { record, type Actor } from '../../queries/audit.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { deleteDeal } from '../../queries/deals.ts'
import { remembered } from './open-deal.ts'

/** Ends a deal at once, with the discounts that were drawn for it. Throws ShopError DEAL_NOT_FOUND. */
export function closeDeal({ write, clock }: { write: Write; clock: Clock }, actor: Actor, id: string): Promise<void> {
  return write(async trx => {
    const deal = await deleteDeal(trx, id)
    if (!deal) throw new ShopError('DEAL_NOT_FOUND')
    await raiseCounter(trx, 'catalog')
    await record(trx, { actor, at: isoNow(clock), kind: 'deal', id, what: 'deleted', before: remembered(deal) })
  })
}
