import type { Order, PaymentOrder } from '#lib/contract/orders.ts'
import { CURRENCY, PAYMENT_THEME } from '#lib/constants.ts'
import { toRupees, type Paise } from '#lib/money.ts'
import type { PaymentSettings } from '../razorpay/payment-settings.ts'

interface PaymentOrderParts {
  /** The provider order's id; null if nothing has to be paid. */
  id: string | null
  orderId: string
  total: Paise
  holdUntil: string | null
  order?: Order
}

export function toPaymentOrder(
  { keyId, isSandbox, checkoutUrl }: PaymentSettings,
  { id, orderId, total, holdUntil, order }: PaymentOrderParts
): PaymentOrder {
  return {
    id,
    amount: id === null ? 0 : total,
    currency: CURRENCY,
    key: keyId,
    orderId,
    total: toRupees(total),
    holdUntil,
    theme: PAYMENT_THEME,
    sandbox: isSandbox,
    script: checkoutUrl,
    ...(order && { order })
  }
}
