import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { bindOrder } from '#server/queries/orders/transitions.ts'
import { buy, checkOut, myOrders, newShopper, opened, openMarket, place } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const items = [{ product: 'lemon', quantity: 1 }]
const two = [{ product: 'lemon', quantity: 2 }]
const amount = 120

describe.each(ENGINES)('what happens just then, on %s', engine => {
  test.for(['its time is over', 'another checkout replaces it'])(
    'a payment that comes after the provider was asked whether there is one, because %s, keeps its order',
    async why => {
      const shop = await openMarket(engine, { products })
      const anita = await newShopper(shop)
      const { id, orderId } = await opened(shop, anita, { items })
      const { gateway } = shop.app.payments
      shop.app.payments.gateway = {
        ...gateway,
        async listOrderPayments(asked) {
          shop.app.payments.gateway = gateway
          const none = await gateway.listOrderPayments(asked)
          expect((await place(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
          return none
        }
      }
      if (why === 'its time is over') {
        shop.clock.advance(31 * MINUTE)
        await shop.reconcile()
      } else await opened(shop, anita, { items: two })
      expect(await myOrders(shop, anita)).toMatchObject([{ _id: orderId, status: 'pending' }])
      expect(await shop.violations()).toEqual([])
    }
  )

  test('a payment that another process opens too is shown as one order of the provider’s', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const { gateway } = shop.app.payments
    const bound: string[] = []
    shop.app.payments.gateway = {
      ...gateway,
      async createOrder(draft) {
        const [theirs, ours] = [await gateway.createOrder(draft), await gateway.createOrder(draft)]
        await shop.writeElsewhere(trx => bindOrder(trx, draft.receipt, theirs.id))
        bound.push(theirs.id)
        return ours
      }
    }
    const { id } = (await checkOut(shop, anita, { items, amount })).body as { id: string }
    expect([id]).toEqual(bound)
    expect(await place(shop, anita, await shop.sandbox.pay(id))).toMatchObject({ status: 201 })
    expect(await shop.violations()).toEqual([])
  })

  test('a refund that two processes send is one refund: both send it under its own key', async () => {
    const shop = await openMarket(engine, { products })
    const anita = await newShopper(shop)
    const order = await buy(shop, anita, items)
    await shop.sandbox.control('POST', '/pay2', { order_id: order.razorpay_order_id })
    await shop.hear()
    const due = await shop.database.kysely.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    await shop.reconcile()
    const again = await shop.sandbox.refund(due.payment_id, JSON.parse(due.body) as object, due.id)
    const sent = await shop.database.kysely.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
    expect(sent).toMatchObject({ state: 'processed', provider_refund_id: again.id })
    expect(await shop.violations()).toEqual([])
  })
})
