import { atom, readonlyType } from 'nanostores'
import { hasTypes, parseJson } from '../browser.ts'
import type { QuotedCoupon } from '../contract/checkout.ts'
import { persistentAtom } from './storage.ts'

// Apart from `quote.ts`, which has the rules, because a logout forgets the coupon on every page.

export type SavedCoupon = Pick<QuotedCoupon, 'code' | 'terms'>
type LostCoupon = Pick<QuotedCoupon, 'code' | 'problem'>

const $saved = persistentAtom<SavedCoupon | undefined>('coupon', undefined, decode)
const $lost = atom<LostCoupon | undefined>()

export const $coupon = readonlyType($saved)
/** The coupon that was applied until the server refused it. */
export const $lostCoupon = readonlyType($lost)

export function setCoupon(coupon: SavedCoupon | undefined): void {
  $lost.set(undefined)
  $saved.set(coupon)
}

export function loseCoupon(coupon: LostCoupon): void {
  $saved.set(undefined)
  $lost.set(coupon)
}

function decode(stored: string): SavedCoupon | undefined {
  const coupon = parseJson(stored)
  return hasTypes(coupon, { code: 'string' }) ? { code: (coupon as SavedCoupon).code } : undefined
}
