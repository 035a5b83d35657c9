import { persistentAtom } from '@nanostores/persistent'
import { atom, readonlyType } from 'nanostores'
import { hasTypes, parseJson } from '../browser.ts'
import type { CouponTerms, QuotedCouponProblem } from '../contract/checkout.ts'

export interface SavedCoupon {
  code: string
  terms?: CouponTerms
}

interface LostCoupon {
  code: string
  problem: QuotedCouponProblem | undefined
}

// The rules for coupons are in `quote.ts`.
const $saved = persistentAtom<SavedCoupon | undefined>('coupon', undefined, {
  encode: JSON.stringify,
  decode
})
const $lost = atom<LostCoupon | undefined>()

export const $coupon = readonlyType($saved)
/** The coupon that was applied until the server refused it. */
export const $lostCoupon = readonlyType($lost)

export function setCoupon(coupon: SavedCoupon): void {
  $lost.set(undefined)
  $saved.set(coupon)
}

export function loseCoupon(coupon: LostCoupon): void {
  $saved.set(undefined)
  $lost.set(coupon)
}

export function removeCoupon(): void {
  $saved.set(undefined)
  $lost.set(undefined)
}

function decode(stored: string): SavedCoupon | undefined {
  const coupon = parseJson(stored)
  return hasTypes(coupon, { code: 'string' }) ? { code: (coupon as SavedCoupon).code } : undefined
}
