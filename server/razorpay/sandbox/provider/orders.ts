import * as z from 'zod/mini'
import { createId, type CaptureRule, type Order } from './entities.ts'
import { unixNow, type Provider } from './provider.ts'
import { insertOrder } from './records.ts'
import { amount, currency, notes, parseInput, receipt } from './requests.ts'

const PaymentOption = z.strictObject({
  capture: z.enum(['automatic', 'manual'], 'The capture must be automatic or manual.'),
  capture_options: z.optional(
    z.strictObject({
      automatic_expiry_period: z.optional(
        z.int().check(z.minimum(12, 'The automatic expiry period must be at least 12.'))
      ),
      manual_expiry_period: z.optional(
        z.int().check(z.maximum(7200, 'The manual expiry period may not be greater than 7200.'))
      ),
      refund_speed: z.optional(z.enum(['normal', 'optimum'], 'The refund speed is invalid.'))
    })
  )
})

const OrderRequest = z.strictObject({
  amount: amount.check(z.minimum(100, 'The amount must be at least INR 1.00')),
  currency,
  receipt: z.optional(z.nullable(receipt)),
  notes: z.optional(notes),
  partial_payment: z.optional(z.boolean()),
  payment: z.optional(PaymentOption)
})

/** Not idempotent: as with Razorpay, two requests with the same receipt create two orders. Throws RazorpayError. */
export async function createOrder(provider: Provider, body: unknown): Promise<Order> {
  const request = parseInput(OrderRequest, body)
  const order: Order = {
    id: createId('order', provider.random),
    entity: 'order',
    amount: request.amount,
    amount_paid: 0,
    amount_due: request.amount,
    currency: request.currency,
    receipt: request.receipt ?? null,
    offer_id: null,
    status: 'created',
    attempts: 0,
    notes: request.notes ?? [],
    created_at: unixNow(provider)
  }
  await provider.store.write(() => insertOrder(provider.store, order, toCaptureRule(request.payment)))
  return order
}

function toCaptureRule(option: z.infer<typeof PaymentOption> | undefined): CaptureRule {
  const { automatic_expiry_period: automatic, manual_expiry_period: manual } = option?.capture_options ?? {}
  return {
    automatic: option?.capture === 'automatic',
    automaticExpiry: automatic ?? MAX_EXPIRY_MINUTES,
    manualExpiry: manual ?? MAX_EXPIRY_MINUTES
  }
}

const MAX_EXPIRY_MINUTES = 7200
