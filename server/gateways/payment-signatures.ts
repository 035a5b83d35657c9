import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentSettings } from '../payment-settings.ts'

/** What the provider signs a payment of an order with. */
export function signPayment(
  { keySecret }: Pick<PaymentSettings, 'keySecret'>,
  providerOrderId: string,
  paymentId: string
): string {
  return hmac(keySecret, `${providerOrderId}|${paymentId}`)
}

/** Whether the provider says that a payment belongs to an order: it says nothing of amount and state. */
export function isSignedPayment(
  settings: Pick<PaymentSettings, 'keySecret'>,
  providerOrderId: string,
  paymentId: string,
  signature: string
): boolean {
  return isSame(signature, signPayment(settings, providerOrderId, paymentId))
}

/** Whether a webhook comes from the provider; while the secret is changed, by either. */
export function isSignedWebhook(
  { webhookSecrets }: Pick<PaymentSettings, 'webhookSecrets'>,
  body: Buffer,
  signature: string
): boolean {
  return webhookSecrets.some(secret => isSame(signature, hmac(secret, body)))
}

function hmac(secret: string, text: string | Buffer): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

function isSame(given: string, made: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(made)]
  return a.length === b.length && timingSafeEqual(a, b)
}
