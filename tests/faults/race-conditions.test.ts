import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin, QueryId } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { MINUTE } from '#lib/time.ts'
import type { Tables, Trx } from '#server/platform/db/tables.ts'
import { updateOrder } from '#server/orders/payment/transitions.ts'
import { deleteExpiredOrderData } from '#server/orders/clean-up.ts'
import {
  ADDRESS,
  advanceAndReconcile,
  attemptPayment,
  callAs,
  CUSTOMER,
  requestPayment,
  myOrders,
  openPayment,
  openLemonShop,
  placeOrder,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'

const items = [{ product: 'lemon', quantity: 1 }]
const amount = 120

/** Runs `meanwhile` after the first read of the table, before its caller gets the rows. */
function pauseAfterRead(table: keyof Tables, meanwhile: () => Promise<unknown>): KyselyPlugin {
  let pausedQuery: QueryId | undefined
  return {
    transformQuery({ node, queryId }) {
      const isRead =
        node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes(`"${table}"`)
      if (isRead) pausedQuery ??= queryId
      return node
    },
    async transformResult({ result, queryId }) {
      if (pausedQuery === queryId) await meanwhile()
      return result
    }
  }
}

async function payWithoutItems(shop: CheckoutShop, shopper: Shopper) {
  const opened = await callAs(shopper, shop, 'POST /payments/razorpay-order', { amount })
  const proof = await shop.sandbox.pay((opened.body as PaymentOrder).id ?? '')
  const order = { ...proof, items, customerDetails: CUSTOMER, shippingAddress: ADDRESS }
  return () => callAs(shopper, shop, 'POST /orders', order)
}

describe.each(ENGINES)('Race conditions on %s', engine => {
  test.for(['the reservation expires', 'another checkout replaces the reservation'])(
    'a payment made just after the shop asked the provider for payments becomes an order even if %s',
    async reason => {
      const { shop, anita } = await openLemonShop(engine)
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
      } else await openPayment(shop, anita)
      expect(await myOrders(shop, anita)).toMatchObject([{ _id: orderId, status: 'pending' }])
    }
  )

  test('two processes that open the same payment use the same provider order', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const { gateway } = shop.app.payments
    const savedIds: string[] = []
    shop.app.payments.gateway = {
      ...gateway,
      async createOrder(draft) {
        const otherOrder = await gateway.createOrder(draft)
        const ownOrder = await gateway.createOrder(draft)
        await shop.writeFromOtherProcess(trx =>
          updateOrder(trx, draft.receipt, { provider_order_id: otherOrder.id }).execute()
        )
        savedIds.push(otherOrder.id)
        return ownOrder
      }
    }
    const { id } = (await requestPayment(shop, anita, { items, amount })).body as { id: string }
    expect([id]).toEqual(savedIds)
    expect(await placeOrder(shop, anita, await shop.sandbox.pay(id))).toMatchObject({ status: 201 })
  })
})

describe('Race conditions (postgres)', () => {
  test('a repeated order of an unitemised payment gets the order that has taken the last packs', async () => {
    const products = { lemon: { category: 'pickles', price: 120, stock: 1 } } as const
    const { shop, anita } = await openLemonShop('postgres', { products })
    const place = await payWithoutItems(shop, anita)
    const { database } = shop.app
    const meanwhile = async () => expect((await place()).status).toBe(201)
    const kysely = database.kysely.withPlugin(pauseAfterRead('unitemised_payments', meanwhile))
    shop.app.database = { ...database, kysely }
    expect((await place()).status).toBe(200)
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
  })

  test('an unitemised payment only gets the order that the browser places while the payment is settled', async () => {
    const { shop, anita } = await openLemonShop('postgres')
    const place = await payWithoutItems(shop, anita)
    let placing: ReturnType<typeof place> | undefined
    const pause = pauseAfterRead('orders', async () => {
      placing = place()
      await sleep(500)
    })
    const { write } = shop.app
    shop.app.write = (action, options) =>
      write(trx => action(trx.withPlugin(pause) as Trx), options)
    await shop.deliverWebhooks()
    expect([200, 201]).toContain((await placing)?.status)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
  })

  test('an order of a deleted account keeps its address if it is paid while it is anonymised', async () => {
    const { shop, anita } = await openLemonShop('postgres')
    const { id, orderId } = await openPayment(shop, anita, { items })
    const payment = await attemptPayment(shop, id, 'failed')
    await advanceAndReconcile(shop, 40 * MINUTE)
    const deleted_at = new Date(shop.clock()).toISOString()
    await shop.write(trx =>
      trx.updateTable('users').set({ deleted_at }).where('id', '=', anita.id).execute()
    )
    const pause = pauseAfterRead('orders', async () => {
      await shop.sandbox.control('POST', '/late', { payment_id: payment, outcome: 'paid' })
      await shop.deliverWebhooks()
    })
    await shop.write(trx => deleteExpiredOrderData(trx.withPlugin(pause) as Trx, shop.clock()))
    const orders = await shop.database.kysely.selectFrom('orders').selectAll().execute()
    const address = expect.stringContaining(ADDRESS.street)
    const paid = { id: orderId, payment_state: 'paid', anonymised_at: null, address }
    expect(orders).toMatchObject([paid])
  })

  test('a discount can’t be drawn for a deal that is deleted at the same moment', async () => {
    const deals = { festival: { product: 'lemon' } }
    const { shop, anita } = await openLemonShop('postgres', { deals })
    let drawing: ReturnType<typeof callAs> | undefined
    await shop.write(async trx => {
      await trx.deleteFrom('deals').where('id', '=', 'festival').execute()
      drawing = callAs(anita, shop, 'POST /flash-deals/generate/lemon')
      await sleep(300)
    })
    expect((await drawing)?.body).toMatchObject({ code: 'DEAL_NOT_FOUND' })
  })
})
