import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentSettings } from '../payment-settings.ts'

export function signPayment(
  { keySecret }: Pick<PaymentSettings, 'keySecret'>,
  providerOrderId: string,
  paymentId: string
): string {
  return hmac(keySecret, `${providerOrderId}|${paymentId}`)
}

/** Proves that the payment belongs to the order; says nothing about its amount or status. */
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

function hmac(secret: string, text: string | Buffer): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
