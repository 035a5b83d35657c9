import { ShopError } from '#lib/errors.ts'
import type { Write } from '../../db/write.ts'
import { raiseCounter } from '../../queries/counters.ts'
import { deleteDeal } from '../../queries/deals.ts'

/** Ends a deal at once, with the discounts that were drawn for it. Throws ShopError DEAL_NOT_FOUND. */
export function closeDeal({ write }: { write: Write }, id: string): Promise<void> {
  return write(async trx => {
    if (!(await deleteDeal(trx, id))) throw new ShopError('DEAL_NOT_FOUND')
    await raiseCounter(trx, 'catalog')
  })
}
