import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { call, expectBody, register } from '../support/accounts.ts'
import {
  addShopper,
  buy,
  callAs,
  expectInvariants,
  openCheckoutShop,
  openPayment,
  placeOrder,
  requestPayment,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { addCoupon, couponOf } from '../support/coupons.ts'
import { BOTH_ENGINES, ENGINES, type Engine } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const products = {
  laddu: { price: 200, stock: 200 },
  lemon: { category: 'pickles', price: 100, stock: 200 }
} as const
const items = [{ product: 'laddu', quantity: 2 }]
const withCoupon = (coupon: string, amount = 360) => ({ items, amount, extra: { coupon } })

async function openCouponShop(engine: Engine = 'sqlite') {
  const shop = await openCheckoutShop(engine, { products })
  expectInvariants(shop)
  return { shop, anita: await addShopper(shop, 'anita'), bala: await addShopper(shop) }
}

const usesOf = async ({ database }: CheckoutShop) =>
  (await database.kysely.selectFrom('coupons').select('uses').execute()).map(({ uses }) => uses)

const later = ({ clock }: CheckoutShop, ms: number) => new Date(clock() + ms).toISOString()

async function openExpired(
  shop: CheckoutShop,
  shopper: Shopper
): Promise<PaymentOrder & { id: string }> {
  const order = await openPayment(shop, shopper, withCoupon('ONLYONE'))
  shop.clock.advance(31 * MINUTE)
  await shop.reconcile()
  return order
}

describe.each(ENGINES)('Coupon on %s', engine => {
  test('lowers an order, and the order names it', async () => {
    const { shop, anita } = await openCouponShop(engine)
    await addCoupon(shop, 'DIWALI10')
    const lines = [...items, { product: 'lemon', quantity: 1 }]
    expect(await couponOf(shop, anita, lines, '*“Diwali10”*\u200b')).toMatchObject({
      code: 'DIWALI10',
      discount: 50,
      terms: { percent: 10, products: ['laddu', 'lemon'] },
      total: 450
    })
    expect(await buy(shop, anita, lines, { coupon: '*diwali10*', amount: 450 })).toMatchObject({
      totalAmount: 450,
      coupon: { code: 'DIWALI10', discount: 50 },
      items: [
        { price: 200, couponDiscount: 40, total: 360 },
        { price: 100, couponDiscount: 10, total: 90 }
      ]
    })
    expect(await usesOf(shop)).toEqual([1])
  })

  test('is free for the shopper who reserved it, and for all after the reservation has ended or the order is cancelled', async () => {
    const { shop, anita, bala } = await openCouponShop(engine)
    await addCoupon(shop, 'ONLYONE', { max_uses: 1, once_per_person: 1 })
    await openPayment(shop, anita, withCoupon('ONLYONE'))
    expect(await couponOf(shop, anita, items, 'ONLYONE')).toMatchObject({ discount: 40 })
    expect(await couponOf(shop, bala, items, 'ONLYONE')).toMatchObject({ problem: 'unknown' })
    await openExpired(shop, anita)
    expect(await usesOf(shop)).toEqual([0])
    const pickles = [{ product: 'lemon', quantity: 2 }]
    const { _id } = await buy(shop, bala, pickles, { coupon: 'ONLYONE', amount: 180 })
    expect(await couponOf(shop, anita, items, 'ONLYONE')).toMatchObject({ problem: 'unknown' })
    await callAs(bala, shop, `POST /orders/${_id}/cancel`)
    expect(await couponOf(shop, bala, items, 'ONLYONE')).toMatchObject({ discount: 40 })
  })

  test('is not claimed again if somebody else has used it: the late payment is refunded', async () => {
    const { shop, anita, bala } = await openCouponShop(engine)
    await addCoupon(shop, 'ONLYONE', { max_uses: 1 })
    const order = await openExpired(shop, anita)
    await buy(shop, bala, items, { coupon: 'ONLYONE', amount: 360 })
    const reply = await placeOrder(shop, anita, await shop.sandbox.pay(order.id))
    expect(reply.body).toMatchObject({ code: 'PAYMENT_REFUNDED' })
  })
})

describe.each(BOTH_ENGINES)('Coupon on %s', engine => {
  test('is used once by parallel checkouts of different people', async () => {
    const { shop } = await openCouponShop(engine)
    const shoppers = await Promise.all(Array.from({ length: 20 }, () => addShopper(shop)))
    await addCoupon(shop, 'ONLYONE', { max_uses: 1 })
    const replies = await Promise.all(
      shoppers.map(shopper => requestPayment(shop, shopper, withCoupon('ONLYONE')))
    )
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(19)
    for (const { body } of refused)
      expect(body).toMatchObject({
        code: 'PRICE_CHANGED',
        quote: { total: 400, coupon: { problem: 'unknown', discount: 0 } }
      })
    expect(await usesOf(shop)).toEqual([1])
  })

  test('is used once by one person with two accounts at the same time', async () => {
    const { shop, anita } = await openCouponShop(engine)
    const people = [anita, await addShopper(shop, 'anita+2')]
    await addCoupon(shop, 'WELCOME', { once_per_person: 1 })
    const replies = await Promise.all(
      people.map(person => requestPayment(shop, person, withCoupon('WELCOME')))
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = people[replies.findIndex(({ status }) => status === 409)] ?? anita
    expect(await couponOf(shop, refused, items, 'WELCOME')).toMatchObject({
      problem: 'used',
      total: 400
    })
  })
})

describe('Coupon', () => {
  test('is claimed again by a late payment, also after its end', async () => {
    const { shop, anita } = await openCouponShop()
    const ends_at = later(shop, 20 * MINUTE)
    await addCoupon(shop, 'ONLYONE', { max_uses: 1, once_per_person: 1, ends_at })
    const order = await openExpired(shop, anita)
    await expectBody(placeOrder(shop, anita, await shop.sandbox.pay(order.id)), {
      totalAmount: 360,
      coupon: { discount: 40 }
    })
    expect(await usesOf(shop)).toEqual([1])
  })

  test('is not claimed at terms that have changed since the quote', async () => {
    const { shop, anita } = await openCouponShop()
    await addCoupon(shop, 'DIWALI')
    const { write } = shop.app
    shop.app.write = async (change, options) => {
      if (options?.isDurable === false) return write(change, options)
      shop.app.write = write
      await write(trx => trx.updateTable('coupons').set({ percent: 5, version: 2 }).execute())
      return write(change)
    }
    const reply = await requestPayment(shop, anita, withCoupon('DIWALI'))
    expect(reply.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 380 } })
    expect(await usesOf(shop)).toEqual([0])
  })

  test('belongs to the checkout key, and needs the items of the order', async () => {
    const { shop, anita } = await openCouponShop()
    await addCoupon(shop, 'DIWALI')
    const key = randomUUID()
    await openPayment(shop, anita, { ...withCoupon('DIWALI'), key })
    await expectBody(requestPayment(shop, anita, { items, amount: 400, key }), {
      code: 'CHECKOUT_CHANGED'
    })
    const unitemised = { amount: 360, coupon: 'DIWALI' }
    await expectBody(callAs(anita, shop, 'POST /payments/razorpay-order', unitemised), {
      fields: { coupon: 'A coupon needs the items of the order.' }
    })
  })
})

describe('Coupon that can’t be used', () => {
  test('gives the same reply for unknown, ended, future and used-up codes', async () => {
    const { shop, anita } = await openCouponShop()
    await addCoupon(shop, 'ENDED', { starts_at: later(shop, -DAY), ends_at: later(shop, 0) })
    await addCoupon(shop, 'FUTURE', { starts_at: later(shop, 1) })
    await addCoupon(shop, 'USEDUP', { max_uses: 0 })
    const replies = await Promise.all(
      ['ENDED', 'FUTURE', 'USEDUP', 'NONSENSE'].map(code => couponOf(shop, anita, items, code))
    )
    expect(new Set(replies.map(({ code: _, ...reply }) => JSON.stringify(reply)))).toHaveLength(1)
    expect(replies[0]).toMatchObject({ discount: 0, problem: 'unknown', total: 400 })
  })

  test('says what is missing, and only to the person that they have used it', async () => {
    const { shop, anita } = await openCouponShop()
    await addCoupon(shop, 'BIG', { minimum: 500 })
    await addCoupon(shop, 'PICKLES', { categories: ['pickles'] })
    await addCoupon(shop, 'WELCOME', { once_per_person: 1 })
    await buy(shop, anita, items, { coupon: 'WELCOME', amount: 360 })
    const unverified = { ...anita, token: (await register(shop, { email: 'a@x.in' })).token }
    const visitor = { ...anita, token: '' }
    for (const [shopper, code, reply] of [
      [anita, 'BIG', { problem: 'minimum', terms: { minimum: 500 } }],
      [anita, 'PICKLES', { problem: 'no_items' }],
      [anita, 'WELCOME', { problem: 'used', total: 400 }],
      [unverified, 'WELCOME', { problem: 'unverified', total: 400 }],
      [visitor, 'WELCOME', { discount: 40 }]
    ] as const)
      expect(await couponOf(shop, shopper, items, code)).toMatchObject(reply)
  })

  test('is not given again to the person of a deleted account, until the coupon has ended', async () => {
    const { shop, anita } = await openCouponShop()
    await addCoupon(shop, 'WELCOME', { once_per_person: 1, ends_at: later(shop, DAY) })
    await buy(shop, anita, items, { coupon: 'WELCOME', amount: 360 })
    const deleted = { email: 'deleted-1', deleted_at: later(shop, 0) }
    await shop.write(trx =>
      trx.updateTable('users').set(deleted).where('id', '=', anita.id).execute()
    )
    const again = await addShopper(shop, 'anita')
    expect(await couponOf(shop, again, items, 'WELCOME')).toMatchObject({ problem: 'used' })
    const listPeople = () =>
      shop.database.kysely.selectFrom('coupon_uses').select('person').execute()
    await deleteExpired(shop)
    expect(await listPeople()).toEqual([{ person: expect.any(String) }])
    shop.clock.advance(DAY)
    await deleteExpired(shop)
    expect(await listPeople()).toEqual([{ person: null }])
  })
})

describe('Guessing coupon codes', () => {
  const guess = (shop: CheckoutShop, coupon: string, token: string, ip: string) =>
    call(shop, 'POST /cart/quote', { body: { lines: items, coupon }, token, ip })
  const problemOf = (reply: Reply) =>
    (reply.body as { coupon: { problem?: string } }).coupon.problem

  test('stops after ten wrong codes of an account in an hour, and right codes are not counted', async () => {
    const { shop, anita } = await openCouponShop()
    await addCoupon(shop, 'DIWALI')
    const guessAll = (...codes: string[]) =>
      Promise.all(
        codes.map(async (code, n) =>
          problemOf(await guess(shop, code, anita.token, `203.0.113.${n}`))
        )
      )
    await guessAll(...Array<string>(11).fill('DIWALI'))
    const problems = await guessAll(...Array.from({ length: 12 }, (_, n) => `WRONG${n}`))
    expect(problems.filter(problem => problem === 'limited')).toHaveLength(2)
    expect(await couponOf(shop, anita, items, 'DIWALI')).toMatchObject({
      total: 400,
      problem: 'limited',
      discount: 0
    })
    shop.clock.advance(HOUR)
    expect(await guessAll('DIWALI')).toEqual([undefined])
  })

  test('is limited for visitors of one network', async () => {
    const { shop } = await openCouponShop()
    const window_start = new Date(Math.floor(shop.clock() / HOUR) * HOUR).toISOString()
    const counted = { key: 'couponCodes of 203.0.113.9', window_start, count: 600 }
    await shop.write(trx => trx.insertInto('rate_counts').values(counted).execute())
    await addCoupon(shop, 'DIWALI')
    expect(problemOf(await guess(shop, 'DIWALI', '', '203.0.113.9'))).toBe('limited')
    expect(problemOf(await guess(shop, 'DIWALI', '', '203.0.113.10'))).toBeUndefined()
  })
})
