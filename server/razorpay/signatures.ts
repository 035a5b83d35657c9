import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentSettings } from './settings.ts'

export function signPayment(
  { keySecret }: Pick<PaymentSettings, 'keySecret'>,
  providerOrderId: string,
  paymentId: string
): string {
  return hmac(keySecret, `${providerOrderId}|${paymentId}`)
}

/** Verifies that the payment belongs to the order, but neither its amount nor its status. */
export function isSignedPayment(
  settings: Pick<PaymentSettings, 'keySecret'>,
  providerOrderId: string,
  paymentId: string,
  signature: string
): boolean {
  return isSame(signature, signPayment(settings, providerOrderId, paymentId))
}

export function isSignedWebhook(
  { webhookSecrets }: Pick<PaymentSettings, 'webhookSecrets'>,
  body: Buffer,
  signature: string
): boolean {
  return webhookSecrets.some(secret => isSame(signature, hmac(secret, body)))
}

export function hmac(secret: string, text: string | Buffer): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
