import { DEFAULT_COUNTRY_CODE } from '../constants.ts'
import type { CustomerDetails, PaymentOrder } from '../contract/orders.ts'
import { PAYMENT_WINDOW, SECOND } from '../time.ts'
import type { Proof } from './payment.ts'

/** What the provider's `checkout.js` takes. */
export interface WindowOptions {
  key: string
  /** Paise. */
  amount: number
  currency: string
  name: string
  order_id: string
  prefill: { name: string; email: string; contact: string }
  theme: { color: string }
  /** Seconds. */
  timeout: number
  retry: { enabled: boolean }
  modal: { ondismiss: () => void }
  handler?: (proof: Proof) => void
  callback_url?: string
  redirect?: boolean
}

export interface WindowRequest {
  order: PaymentOrder & { id: string }
  customer: CustomerDetails
  shopName: string
  /** Where the provider's page posts to in browsers that can't show its window over ours; absolute. */
  callbackUrl: string
  userAgent: string
  onPaid: (proof: Proof) => void
  onClosed: () => void
}

export function windowOptions({ order, customer, shopName, ...rest }: WindowRequest): WindowOptions {
  const { key, amount, currency, id, theme } = order
  const inApp = isInAppBrowser(rest.userAgent)
  return {
    ...{ key, amount, currency, theme, order_id: id, name: shopName },
    prefill: { name: customer.name, email: customer.email, contact: `${DEFAULT_COUNTRY_CODE}${customer.phone}` },
    timeout: PAYMENT_WINDOW / SECOND,
    retry: { enabled: true },
    modal: { ondismiss: rest.onClosed },
    ...(inApp ? { callback_url: rest.callbackUrl, redirect: true } : { handler: rest.onPaid })
  }
}

/** Instagram, Facebook, Opera, UC and other apps' own views don't allow the provider's frame. */
export function isInAppBrowser(userAgent: string): boolean {
  return /Instagram|FBAN|FBAV|FB_IAB|\bOPR\/|\bOPT\/|Opera|UCBrowser|UCWEB|; wv\)/.test(userAgent)
}
