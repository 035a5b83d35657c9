import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { setProviderOrder } from '#server/orders/transitions.ts'
import {
  buy,
  requestPayment,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]
const twoLemons = [{ product: 'lemon', quantity: 2 }]
const amount = 120

describe.each(ENGINES)('Race conditions (%s)', engine => {
  test.for(['the reservation expires', 'another checkout replaces the reservation'])(
    'a payment made just after the shop asked the provider for payments becomes an order even if %s',
    async reason => {
      const shop = await openCheckoutShop(engine, { products })
      const anita = await addShopper(shop)
      const { id, orderId } = await openPayment(shop, anita, { items })
      const { gateway } = shop.app.payments
      shop.app.payments.gateway = {
        ...gateway,
        async listOrderPayments(providerOrderId) {
          shop.app.payments.gateway = gateway
          const emptyList = await gateway.listOrderPayments(providerOrderId)
          expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
          return emptyList
        }
      }
      if (reason === 'the reservation expires') {
        shop.clock.advance(31 * MINUTE)
        await shop.reconcile()
      } else await openPayment(shop, anita, { items: twoLemons })
      expect(await myOrders(shop, anita)).toMatchObject([{ _id: orderId, status: 'pending' }])
      expect(await shop.violations()).toEqual([])
    }
  )

  test('two processes that open the same payment use the same provider order', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { gateway } = shop.app.payments
    const savedIds: string[] = []
    shop.app.payments.gateway = {
      ...gateway,
      async createOrder(draft) {
        const [otherOrder, ownOrder] = [await gateway.createOrder(draft), await gateway.createOrder(draft)]
        await shop.writeFromOtherProcess(trx => setProviderOrder(trx, draft.receipt, otherOrder.id))
        savedIds.push(otherOrder.id)
        return ownOrder
      }
    }
    const { id } = (await requestPayment(shop, anita, { items, amount })).body as { id: string }
    expect([id]).toEqual(savedIds)
    expect(await placeOrder(shop, anita, await shop.sandbox.pay(id))).toMatchObject({ status: 201 })
    expect(await shop.violations()).toEqual([])
  })

  test('a refund is processed once even if two processes send it', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const order = await buy(shop, anita, items)
    await shop.sandbox.control('POST', '/pay2', { order_id: order.razorpay_order_id })
    await shop.deliverWebhooks()
    const dueRefund = await shop.database.kysely.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    await shop.reconcile()
    const duplicate = await shop.sandbox.createRefund(
      dueRefund.payment_id,
      JSON.parse(dueRefund.body) as object,
      dueRefund.id
    )
    const sentRefund = await shop.database.kysely.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    expect(sentRefund).toMatchObject({ state: 'processed', provider_refund_id: duplicate.id })
    expect(await shop.violations()).toEqual([])
  })
})
