import type { RazorpayResponse } from '../checkout/payment.ts'
import { DEFAULT_COUNTRY_CODE } from '../constants.ts'
import type { PaymentOrder } from '../contract/checkout.ts'
import type { CustomerDetails } from '../contract/orders.ts'
import { PAYMENT_TIMEOUT, SECOND } from '../time.ts'
import { waitFor } from '../waiting.ts'

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

interface PaymentDetails {
  order: PaymentOrder & { id: string }
  customer: CustomerDetails
  shopName: string
  /** Absolute. For in-app browsers. */
  callbackUrl: string
  userAgent: string
  onPaid: (response: RazorpayResponse) => void
  onClosed: () => void
}

export function toRazorpayOptions({
  order,
  customer,
  shopName,
  ...rest
}: PaymentDetails): RazorpayOptions {
  const { key, amount, currency, id, theme } = order
  return {
    key,
    amount,
    currency,
    theme,
    order_id: id,
    name: shopName,
    prefill: {
      name: customer.name,
      email: customer.email,
      contact: `${DEFAULT_COUNTRY_CODE}${customer.phone}`
    },
    timeout: PAYMENT_TIMEOUT / SECOND,
    retry: { enabled: true },
    modal: { ondismiss: rest.onClosed },
    ...(isInAppBrowser(rest.userAgent)
      ? { callback_url: rest.callbackUrl, redirect: true }
      : { handler: rest.onPaid })
  }
}

/** They block Razorpay's iframe and need a redirect. */
export function isInAppBrowser(userAgent: string): boolean {
  return /Instagram|FBAN|FBAV|FB_IAB|\bOPR\/|\bOPT\/|Opera|UCBrowser|UCWEB|; wv\)/.test(userAgent)
}

interface ProviderWindow {
  open(): void
  on(
    event: 'payment.failed',
    listener: (attempt: { error?: { description?: string } }) => void
  ): void
}

type Provider = new (options: RazorpayOptions) => ProviderWindow

let loadedScript: string | undefined

export async function openProvider(
  script: string,
  options: RazorpayOptions,
  onDeclined: (reason: string) => void
): Promise<void> {
  if (loadedScript !== script) await waitFor(false, () => runScript(script))
  const { Razorpay } = globalThis as { Razorpay?: unknown }
  if (typeof Razorpay !== 'function') throw new Error(`${script} does not define Razorpay`)
  loadedScript = script
  const checkout = new (Razorpay as Provider)(options)
  checkout.on('payment.failed', ({ error }) => onDeclined(error?.description ?? ''))
  checkout.open()
}

function runScript(script: string) {
  return new Promise<void>((resolve, reject) => {
    const tag = document.createElement('script')
    tag.src = script
    tag.async = true
    tag.addEventListener('load', () => resolve())
    tag.addEventListener('error', () => reject(new Error(`${script} did not load`)))
    document.head.append(tag)
  })
}
