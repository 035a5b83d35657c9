import type { PaymentDecision, UnmatchedPayment } from '#lib/contract/admin.ts'
import { HOUR } from '#lib/time.ts'
import { ADMIN } from './accounts.ts'
import { openCheckedShop, type AdminOrdersShop, CART, LEMON, refund } from './admin-orders.ts'
import { buy } from './checkout.ts'
import type { Engine } from './database.ts'
import type { Reply } from './shop.ts'

export type Case = Awaited<ReturnType<typeof openCase>>

export async function openCase(engine: Engine = 'sqlite', items = CART) {
  const shop = await openCheckedShop(engine)
  const order = await buy(shop, shop.anita, items)
  const payment = order.razorpay_payment_id ?? ''
  return {
    shop,
    order,
    id: order._id,
    /** Refunds in the provider's dashboard. In paise. */
    refundAtProvider: (amount: number) => shop.sandbox.createRefund(payment, { amount }),
    async decide(decision: PaymentDecision['decision']) {
      await verify(shop)
      return shop.callAsAdmin(`POST /admin/unmatched-payments/${payment}`, { decision })
    },
    async listed() {
      const { body } = await shop.callAsAdmin('GET /admin/unmatched-payments')
      return (body as UnmatchedPayment[]).map(({ amount }) => amount)
    },
    /** What the customer has got back by Razorpay, in rupees, after the shop has sent everything. */
    async settled() {
      await failHourly(shop, 3)
      return (await shop.sandbox.fetchPayment(payment)).amount_refunded / 100
    }
  }
}

async function verify(shop: AdminOrdersShop) {
  await shop.callAsAdmin('POST /admin/verification', { proof: { password: ADMIN.password } })
}

export async function remove({ shop, id }: Case, line: number, packs: number): Promise<Reply> {
  await verify(shop)
  return refund(shop, id, { packs: { [line]: packs } })
}

export async function failHourly(shop: AdminOrdersShop, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    await shop.reconcile()
    await shop.deliverWebhooks()
    shop.clock.advance(HOUR)
  }
}

/**
 * One of three packs is removed, and its refund of ₹120 has failed three times. ₹540.50 were paid.
 */
export async function openFailedRefund(engine: Engine = 'sqlite'): Promise<Case> {
  const found = await openCase(engine)
  const { shop } = found
  await remove(found, LEMON, 1)
  await shop.sandbox.setFaults({ refundFail: 1 })
  await failHourly(shop, 8)
  await shop.sandbox.setFaults({})
  return found
}
