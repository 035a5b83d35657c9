import type { ClosedDays } from '../closed-days.ts'
import type { Settings } from '../contract/settings.ts'
import { formatPaise, fromRupees, toPaise, type Paise } from '../money.ts'
import { CHECKOUT_MESSAGES, minimumOrderText } from './messages.ts'

/** What cart and checkout show of the shop's settings. */
export interface CheckoutShop extends Pick<Settings['shop'], 'name' | 'phone' | 'email' | 'hours'> {
  closed: ClosedDays
  /** In rupees. */
  minimumOrder: number
  gstin: string
}

/** `total` is what the shopper pays, after drawn discounts. `minimumOrder` is in rupees. */
export function findMissingText(total: Paise, minimumOrder: number): string | undefined {
  const minimum = fromRupees(minimumOrder)
  if (total >= minimum) return undefined
  return minimumOrderText(formatPaise(toPaise(minimum - total)), formatPaise(minimum))
}

/** Says the same in the cart and on the invoice. */
export function toTaxText({ gstin }: Pick<Settings['legal'], 'gstin'>): string {
  return gstin === '' ? CHECKOUT_MESSAGES.gstNotRegistered : CHECKOUT_MESSAGES.gstIncluded
}
