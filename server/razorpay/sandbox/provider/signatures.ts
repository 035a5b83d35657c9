import { createHmac } from 'node:crypto'
import type { Payment } from './entities.ts'
import type { Provider } from './provider.ts'

export interface PaymentResponse {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

/** The signature covers the ids, but neither amount nor status. */
export function signResponse({ keys }: Provider, { id, order_id }: Payment): PaymentResponse {
  return {
    razorpay_payment_id: id,
    razorpay_order_id: order_id,
    razorpay_signature: hmac(keys.keySecret, `${order_id}|${id}`)
  }
}

export function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
