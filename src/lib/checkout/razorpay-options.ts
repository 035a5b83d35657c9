import { DEFAULT_COUNTRY_CODE } from '../constants.ts'
import type { CustomerDetails } from '../contract/orders.ts'
import type { PaymentOrder } from '../contract/checkout.ts'
import { PAYMENT_TIMEOUT, SECOND } from '../time.ts'
import type { RazorpayResponse } from './payment.ts'

export interface RazorpayOptions {
  key: string
  /** In paise. */
  amount: number
  currency: string
  name: string
  order_id: string
  prefill: { name: string; email: string; contact: string }
  theme: { color: string }
  /** In seconds. */
  timeout: number
  retry: { enabled: boolean }
  modal: { ondismiss: () => void }
  handler?: (response: RazorpayResponse) => void
  callback_url?: string
  redirect?: boolean
}

export interface PaymentDetails {
  order: PaymentOrder & { id: string }
  customer: CustomerDetails
  shopName: string
  /** Absolute URL. In in-app browsers, Razorpay's page posts the result to this URL. */
  callbackUrl: string
  userAgent: string
  onPaid: (response: RazorpayResponse) => void
  onClosed: () => void
}

export function toRazorpayOptions({ order, customer, shopName, ...rest }: PaymentDetails): RazorpayOptions {
  const { key, amount, currency, id, theme } = order
  return {
    key,
    amount,
    currency,
    theme,
    order_id: id,
    name: shopName,
    prefill: { name: customer.name, email: customer.email, contact: `${DEFAULT_COUNTRY_CODE}${customer.phone}` },
    timeout: PAYMENT_TIMEOUT / SECOND,
    retry: { enabled: true },
    modal: { ondismiss: rest.onClosed },
    ...(isInAppBrowser(rest.userAgent) ? { callback_url: rest.callbackUrl, redirect: true } : { handler: rest.onPaid })
  }
}

/** In-app browsers block Razorpay's iframe. They need a redirect instead. */
export function isInAppBrowser(userAgent: string): boolean {
  return /Instagram|FBAN|FBAV|FB_IAB|\bOPR\/|\bOPT\/|Opera|UCBrowser|UCWEB|; wv\)/.test(userAgent)
}
