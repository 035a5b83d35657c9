import type { AdminProduct, ProductFields } from '#lib/contract/catalog.ts'
import { ShopError } from '#lib/errors.ts'
import { DAY, type IsoTime } from '#lib/time.ts'
import { listReplacedValues } from '../accounts/audit.ts'
import type { Db } from '../platform/db/tables.ts'
import { toIso } from '../platform/process/clock.ts'

type Prices = Pick<ProductFields, 'price' | 'sale'>

interface Verification {
  at: IsoTime
  /**
   * True after a recent verification, which a deep price needs, like a flash deal of more than 50
   * percent.
   */
  isVerified?: boolean
}

/** Throws VERIFICATION_REQUIRED for a sale price below half of the price. */
export function requireVerifiedSale(
  { price, sale }: Prices,
  { isVerified }: Pick<Verification, 'isVerified'>
): void {
  if (!isVerified && sale && sale.price * 2 < price) throw new ShopError('VERIFICATION_REQUIRED')
}

/**
 * Throws VERIFICATION_REQUIRED for a new price, or a new sale, below half of the highest price of
 * the last day. A price that is lowered in several steps needs the verification too.
 */
export async function requireVerifiedPrices(
  db: Db,
  { id, price }: Pick<AdminProduct, 'id' | 'price'>,
  changed: Partial<Prices>,
  { at, isVerified }: Verification
): Promise<void> {
  const lowest = Math.min(changed.price ?? price, changed.sale?.price ?? price)
  if (isVerified || lowest >= price) return
  if (lowest * 2 < Math.max(price, await findHighestPrice(db, id, at)))
    throw new ShopError('VERIFICATION_REQUIRED')
}

async function findHighestPrice(db: Db, id: string, at: IsoTime): Promise<number> {
  const since = toIso(Date.parse(at) - DAY)
  const prices = await listReplacedValues(db, { kind: 'product', id, field: 'price', since })
  return Math.max(...prices.map(Number))
}
