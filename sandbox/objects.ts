import { randomBytes, createHmac } from 'node:crypto'
import { readSecret } from '../server/platform/process/secret.ts'

// Razorpay's objects, with the fields of its API. Amounts are in paise, times in Unix seconds.

/** Razorpay sends an empty array if there are no notes. */
export interface Labels {
  receipt: string | null
  notes: Record<string, unknown> | []
}

export type Order = ReturnType<typeof newOrder>
export function newOrder(amount: number, labels: Labels, now: number) {
  return {
    id: createId('order'),
    entity: 'order',
    amount,
    amount_paid: 0,
    amount_due: amount,
    currency: 'INR',
    ...labels,
    status: 'created' as 'created' | 'attempted' | 'paid',
    attempts: 0,
    created_at: now
  }
}

export interface Attempt {
  outcome: 'paid' | 'failed'
  email?: string | undefined
  contact?: string | undefined
}

export type Payment = ReturnType<typeof newPayment>
export function newPayment(order: Order, attempt: Attempt, now: number) {
  return {
    id: createId('pay'),
    entity: 'payment',
    amount: order.amount,
    currency: order.currency,
    status: 'created' as 'created' | 'authorized' | 'captured' | 'refunded' | 'failed',
    order_id: order.id,
    method: 'upi',
    amount_refunded: 0,
    refund_status: null as 'partial' | 'full' | null,
    captured: false,
    email: attempt.email ?? 'void@razorpay.com',
    contact: attempt.contact ?? '+919000090000',
    notes: order.notes,
    created_at: now
  }
}

export type Refund = ReturnType<typeof newRefund>
export function newRefund(payment: Payment, amount: number, labels: Labels, now: number) {
  return {
    id: createId('rfnd'),
    entity: 'refund',
    amount,
    currency: payment.currency,
    payment_id: payment.id,
    ...labels,
    created_at: now,
    status: 'processed' as 'pending' | 'processed' | 'failed'
  }
}

export interface Dispute {
  id: string
  entity: 'dispute'
  payment_id: string
  amount: number
  currency: string
  status: 'open' | 'under_review' | 'won' | 'lost' | 'closed'
  created_at: number
}

export interface PaymentResponse {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Razorpay's ids have a prefix and 14 characters. */
export function createId(prefix: string, bytes: Uint8Array = randomBytes(14)): string {
  const text = [...bytes.subarray(0, 14)].map(byte => ID_CHARACTERS[byte % ID_CHARACTERS.length])
  return `${prefix}_${text.join('')}`
}

export class RazorpayError extends Error {
  override readonly name = 'RazorpayError'
  readonly status: number
  readonly body: { error: Record<string, unknown> }

  constructor(description: string, details: Record<string, unknown> = {}, status = 400) {
    super(description)
    this.status = status
    this.body = {
      error: {
        code: status < 500 ? 'BAD_REQUEST_ERROR' : 'SERVER_ERROR',
        source: 'business',
        step: 'payment_initiation',
        reason: 'input_validation_failed',
        metadata: {},
        description,
        ...details
      }
    }
  }
}

export function serverError(): RazorpayError {
  const text = 'We are facing some trouble completing your request at the moment.'
  return new RazorpayError(text, {}, 500)
}

export function toError({ id, order_id }: Payment): RazorpayError {
  const text =
    "Your payment didn't go through as it was declined by the bank. Try another payment method."
  const [source, step, reason] = ['bank', 'payment_authorization', 'payment_failed']
  const metadata = { payment_id: id, order_id }
  return new RazorpayError(text, { source, step, reason, metadata })
}

export interface SandboxKeys {
  keyId: string
  keySecret: string
  webhookSecret: string
}

/** Derived from a secret in the folder, so that a restart keeps them. */
export async function readSandboxKeys(folder: string): Promise<SandboxKeys> {
  const secret = await readSecret({ dataDir: folder, shopSecret: undefined }, 'sandbox')
  const deriveKey = (name: string): Buffer => createHmac('sha256', secret).update(name).digest()
  return {
    keyId: createId('rzp_test', deriveKey('key id')),
    keySecret: deriveKey('key secret').toString('hex').slice(0, 24),
    webhookSecret: deriveKey('webhook secret').toString('hex')
  }
}

export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
