import { DEFAULT_COUNTRY_CODE } from '../constants.ts'
import type { CustomerDetails, PaymentOrder } from '../contract/orders.ts'
import { PAYMENT_WINDOW, SECOND } from '../time.ts'
import type { RazorpayResponse } from './payment.ts'

/** Options of Razorpay's `checkout.js`. */
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
  handler?: (response: RazorpayResponse) => void
  callback_url?: string
  redirect?: boolean
}

export interface WindowRequest {
  order: PaymentOrder & { id: string }
  customer: CustomerDetails
  shopName: string
  /** Absolute URL that the provider's page posts to in in-app browsers. */
  callbackUrl: string
  userAgent: string
  onPaid: (response: RazorpayResponse) => void
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

/** These browsers block the provider's iframe, so they need a redirect. */
export function isInAppBrowser(userAgent: string): boolean {
  return /Instagram|FBAN|FBAV|FB_IAB|\bOPR\/|\bOPT\/|Opera|UCBrowser|UCWEB|; wv\)/.test(userAgent)
}
