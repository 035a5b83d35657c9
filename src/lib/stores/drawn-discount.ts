import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { Discount } from '../contract/deals.ts'
import { assertShopError } from '../errors.ts'
import { $token, checkSession } from './session.ts'

// Separate from discounts.ts, which also draws discounts and would make the scripts of product pages too large.
const $state = atom<Discount | undefined>()

/** The discount that the shopper has drawn for the product of this page. Undefined if the deal has ended. */
export const $drawnDiscount = readonlyType($state)

export async function loadDrawnDiscount(productId: string): Promise<void> {
  await checkSession()
  if ($token.get() === undefined) return
  const replies = await api('GET /flash-deals/mine').catch(assertShopError)
  if (Array.isArray(replies)) $state.set(replies.find(discount => discount.productId === productId))
}
