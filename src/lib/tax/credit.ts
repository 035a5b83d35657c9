import { multiply, toPaise, type Paise } from '../money.ts'

interface CreditableLine {
  quantity: number
  /** Of one pack. */
  price: Paise
  coupon_discount: Paise
}

/** Rounds down, except that the last packs get the whole rest. */
export function shareOf(amount: Paise, packs: number, quantity: number): Paise {
  return toPaise(Math.floor((amount * packs) / quantity))
}

/** Returns what the shopper gets back for some of the packs of a line, and the coupon discount in it. */
export function creditPacks(
  { quantity, price, coupon_discount }: CreditableLine,
  packs: number
): { coupon_discount: Paise; total: Paise } {
  const discount = shareOf(coupon_discount, packs, quantity)
  return { coupon_discount: discount, total: toPaise(multiply(price, packs) - discount) }
}
