import type { Settings, ShopSettings } from '../contract/settings.ts'
import type { Calendar, ClosedDays } from '../delivery/calendar.ts'
import { formatPaise, fromRupees, toPaise, type Paise } from '../money.ts'
import type { TaxStatus } from '../contract/names.ts'

const texts = {
  minimumOrderText: (missing: string, minimum: string) =>
    `${missing} more to reach our minimum order of ${minimum}`
}

export interface TaxFacts {
  taxText: string
  servedState: ShopSettings['tax']['servedState']
}

export interface CheckoutShop
  extends Pick<Settings['shop'], 'name' | 'phone' | 'email' | 'hours' | 'address'>, TaxFacts {
  closed: ClosedDays
  /** In rupees. */
  minimumOrder: number
  calendar: ShopSettings['calendar']
  hasFees: boolean
  leastTransit: number
  hasPickup: boolean
  pickupPlace: readonly string[]
  eventProducts: readonly string[]
}

export function calendarOf({
  calendar,
  closed
}: Pick<CheckoutShop, 'calendar' | 'closed'>): Calendar {
  return { ...calendar, closed }
}

/** Before coupon and delivery fee, `minimumOrder` in rupees. */
export function findMissingText(subtotal: Paise, minimumOrder: number): string | undefined {
  const minimum = fromRupees(minimumOrder)
  if (subtotal >= minimum) return undefined
  return texts.minimumOrderText(formatPaise(toPaise(minimum - subtotal)), formatPaise(minimum))
}

export function toTaxText({ status, gstin }: { status: TaxStatus; gstin: string }): string {
  // The GSTIN may be older than the setting `status`.
  if (status === 'regular' || (status === 'unregistered' && gstin !== ''))
    return 'Prices include GST.'
  return status === 'composition'
    ? 'Composition taxable person: no tax is charged.'
    : 'Not registered for GST: no tax is charged.'
}
