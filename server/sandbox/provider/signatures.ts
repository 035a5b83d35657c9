import { createHmac } from 'node:crypto'
import type { Payment } from './entities.ts'
import type { Provider } from './provider.ts'

/** What checkout.js hands to the page after a payment. */
export interface PaymentProof {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

/** Says that the payment belongs to the order, and nothing about its amount or state. */
export function proofOf({ keys }: Provider, { id, order_id }: Payment): PaymentProof {
  return {
    razorpay_payment_id: id,
    razorpay_order_id: order_id,
    razorpay_signature: hmac(keys.keySecret, `${order_id}|${id}`)
  }
}

export function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
