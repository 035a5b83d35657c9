import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { MINUTE } from '#lib/time.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  openCheckoutShop,
  openPayment,
  placeOrder,
  requestPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { addCoupon, couponOf } from '../support/coupons.ts'
import { ENGINES } from '../support/database.ts'

const catalog = {
  products: {
    laddu: { price: 200, stock: 200 },
    lemon: { category: 'pickles', price: 100, stock: 200 }
  }
} as const
const items = [{ product: 'laddu', quantity: 2 }]
const withCoupon = (coupon: string) => ({ extra: { coupon } })

const usesOf = async ({ database }: CheckoutShop): Promise<(number | string)[]> =>
  (await database.kysely.selectFrom('coupons').select('uses').execute()).map(({ uses }) => uses)

describe.each(ENGINES)('Coupon on %s', engine => {
  test('lowers an order, and the order names it', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'DIWALI10')
    const lines = [...items, { product: 'lemon', quantity: 1 }]
    expect(await couponOf(shop, anita, lines, ' diwali10 ')).toMatchObject({
      code: 'DIWALI10',
      discount: 50,
      terms: { percent: 10, products: ['laddu', 'lemon'] },
      total: 450
    })
    const order = await buy(shop, anita, lines, { coupon: 'diwali10', amount: 450 })
    expect(order).toMatchObject({
      totalAmount: 450,
      coupon: { code: 'DIWALI10', discount: 50 },
      items: [
        { price: 200, couponDiscount: 40, total: 360 },
        { price: 100, couponDiscount: 10, total: 90 }
      ]
    })
    expect(await usesOf(shop)).toEqual([1])
    expect(await shop.violations()).toEqual([])
  })

  test('is used once by 100 parallel checkouts of different people and networks', async () => {
    const shop = await openCheckoutShop(engine, { ...catalog, config: { trustProxy: 1 } })
    const shoppers = await Promise.all(Array.from({ length: 100 }, () => addShopper(shop)))
    await addCoupon(shop, 'ONLYONE', { max_uses: 1 })
    const replies = await Promise.all(
      shoppers.map(({ token }, index) =>
        shop.request({
          method: 'POST',
          url: '/api/payments/razorpay-order',
          headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `203.0.${index}.7` },
          payload: {
            items,
            amount: 360,
            coupon: 'ONLYONE',
            customerDetails: CUSTOMER,
            shippingAddress: ADDRESS,
            checkoutKey: randomUUID()
          }
        })
      )
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = replies.filter(({ status }) => status !== 200).map(({ body }) => body)
    expect(
      new Set(refused.map(body => JSON.stringify((body as { quote?: object }).quote)))
    ).toHaveLength(1)
    expect(refused[0]).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { total: 400, coupon: { problem: 'unknown', discount: 0 } }
    })
    expect(await usesOf(shop)).toEqual([1])
    expect(await shop.violations()).toEqual([])
  })

  test('is used once by one person with two accounts at the same time', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const people = [await addShopper(shop, 'meena'), await addShopper(shop, 'meena+2')]
    await addCoupon(shop, 'WELCOME', { once_per_person: 1 })
    const replies = await Promise.all(
      people.map(person =>
        requestPayment(shop, person, { items, amount: 360, ...withCoupon('WELCOME') })
      )
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = people[replies.findIndex(({ status }) => status === 409)]
    if (refused)
      expect(await couponOf(shop, refused, items, 'WELCOME')).toMatchObject({
        problem: 'used',
        total: 400
      })
    expect(await shop.violations()).toEqual([])
  })

  test('is free again after the reservation has ended, and stays free for the shopper who reserved it', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    await addCoupon(shop, 'ONLYONE', { max_uses: 1, once_per_person: 1 })
    await openPayment(shop, anita, { items, amount: 360, ...withCoupon('ONLYONE') })
    expect(await couponOf(shop, anita, items, 'ONLYONE')).toMatchObject({ discount: 40 })
    expect(await couponOf(shop, bala, items, 'ONLYONE')).toMatchObject({ problem: 'unknown' })
    await openPayment(shop, anita, { items, amount: 360, ...withCoupon('ONLYONE') })
    shop.clock.advance(31 * MINUTE)
    await shop.reconcile()
    expect(await usesOf(shop)).toEqual([0])
    expect(await couponOf(shop, bala, items, 'ONLYONE')).toMatchObject({ discount: 40 })
    expect(await shop.violations()).toEqual([])
  })

  test('is not claimed again if somebody else has used it: the late payment is refunded', async () => {
    const shop = await openCheckoutShop(engine, catalog)
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    await addCoupon(shop, 'ONLYONE', { max_uses: 1 })
    const order = await expiredOrder(shop, anita)
    await buy(shop, bala, items, { coupon: 'ONLYONE', amount: 360 })
    const reply = await placeOrder(shop, anita, await shop.sandbox.pay(order.id))
    expect(reply.body).toMatchObject({ code: 'PAYMENT_REFUNDED' })
    expect(await shop.violations()).toEqual([])
  })
})

describe('Coupon', () => {
  test('is claimed again by a late payment, also after its end', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'ONLYONE', {
      max_uses: 1,
      once_per_person: 1,
      ends_at: later(shop, 20 * MINUTE)
    })
    const order = await expiredOrder(shop, anita)
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(order.id))).body).toMatchObject({
      totalAmount: 360,
      coupon: { discount: 40 }
    })
    expect(await usesOf(shop)).toEqual([1])
    expect(await shop.violations()).toEqual([])
  })

  test('is free again after a paid order was cancelled', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    const pickles = [{ product: 'lemon', quantity: 2 }]
    await addCoupon(shop, 'ONLYONE', { max_uses: 1, once_per_person: 1 })
    const { _id } = await buy(shop, anita, pickles, { coupon: 'ONLYONE', amount: 180 })
    expect(await couponOf(shop, anita, pickles, 'ONLYONE')).toMatchObject({ problem: 'unknown' })
    await callAs(anita, shop, `POST /orders/${_id}/cancel`)
    expect(await couponOf(shop, anita, pickles, 'ONLYONE')).toMatchObject({ discount: 20 })
    expect(await shop.violations()).toEqual([])
  })

  test('is not claimed at terms that have changed since the quote', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'DIWALI')
    const { write } = shop.app
    shop.app.write = async (change, options) => {
      if (options?.isDurable === false) return write(change, options)
      shop.app.write = write
      await write(trx => trx.updateTable('coupons').set({ percent: 5, version: 2 }).execute())
      return write(change)
    }
    const reply = await requestPayment(shop, anita, { items, amount: 360, ...withCoupon('DIWALI') })
    expect(reply.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 380 } })
    expect(await usesOf(shop)).toEqual([0])
  })
})

function later({ clock }: CheckoutShop, ms: number): string {
  return new Date(clock() + ms).toISOString()
}

async function expiredOrder(
  shop: CheckoutShop,
  shopper: Shopper
): Promise<PaymentOrder & { id: string }> {
  const order = await openPayment(shop, shopper, { items, amount: 360, ...withCoupon('ONLYONE') })
  shop.clock.advance(31 * MINUTE)
  await shop.reconcile()
  return order
}
