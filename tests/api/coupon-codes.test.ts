import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { call, register } from '../support/accounts.ts'
import {
  addShopper,
  buy,
  callAs,
  openCheckoutShop,
  openPayment,
  requestPayment,
  type CheckoutShop
} from '../support/checkout.ts'
import { addCoupon, couponOf } from '../support/coupons.ts'
import type { Reply } from '../support/shop.ts'

const catalog = {
  products: {
    laddu: { price: 200, stock: 200 },
    lemon: { category: 'pickles', price: 100, stock: 200 }
  }
} as const
const items = [{ product: 'laddu', quantity: 2 }]
const withCoupon = (coupon: string) => ({ extra: { coupon } })

describe('Coupon that can’t be used', () => {
  test('gives the same reply for unknown, ended, future and used-up codes', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'ENDED', { starts_at: later(shop, -DAY), ends_at: later(shop, 0) })
    await addCoupon(shop, 'FUTURE', { starts_at: later(shop, 1) })
    await addCoupon(shop, 'USEDUP', { max_uses: 1, uses: 1 })
    const replies = await Promise.all(
      ['ENDED', 'FUTURE', 'USEDUP', 'NONSENSE'].map(code => couponOf(shop, anita, items, code))
    )
    expect(new Set(replies.map(({ code: _, ...reply }) => JSON.stringify(reply)))).toHaveLength(1)
    expect(replies[0]).toMatchObject({ discount: 0, problem: 'unknown', total: 400 })
  })

  test('says what is missing', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'BIG', { minimum: 500 })
    await addCoupon(shop, 'PICKLES', { categories: ['pickles'] })
    expect(await couponOf(shop, anita, items, 'BIG')).toMatchObject({
      problem: 'minimum',
      terms: { minimum: 500 }
    })
    expect(await couponOf(shop, anita, items, 'PICKLES')).toMatchObject({ problem: 'no_items' })
  })

  test('tells only a person who is logged in that they have used it', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'WELCOME', { once_per_person: 1 })
    await buy(shop, anita, items, { coupon: 'WELCOME', amount: 360 })
    expect(await couponOf(shop, anita, items, 'WELCOME')).toMatchObject({
      problem: 'used',
      total: 400
    })
    expect(await couponOf(shop, { ...anita, token: '' }, items, 'WELCOME')).toMatchObject({
      discount: 40
    })
  })

  test('asks for a verified address if it can be used once per person', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const { token } = await register(shop)
    await addCoupon(shop, 'WELCOME', { once_per_person: 1 })
    const reply = await couponOf(shop, { id: '', name: '', token }, items, 'WELCOME')
    expect(reply).toMatchObject({ problem: 'unverified', total: 400 })
  })

  test('makes an order free only if the owner allows it', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'ALMOST', { percent: 100 })
    await addCoupon(shop, 'FREE', { percent: 100, may_be_free: 1 })
    expect(await couponOf(shop, anita, items, 'ALMOST')).toMatchObject({ discount: 398, total: 2 })
    const reply = await requestPayment(shop, anita, { items, amount: 0, ...withCoupon('FREE') })
    expect(reply.body).toMatchObject({
      id: null,
      order: { totalAmount: 0, coupon: { code: 'FREE', discount: 400 } }
    })
    expect(await shop.violations()).toEqual([])
  })

  test('is part of the checkout, so the same checkout key can’t be used with another', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'DIWALI')
    const key = randomUUID()
    await openPayment(shop, anita, { items, amount: 360, key, ...withCoupon('DIWALI') })
    expect((await requestPayment(shop, anita, { items, amount: 400, key })).body).toMatchObject({
      code: 'CHECKOUT_CHANGED'
    })
  })
})

test('A payment without items can’t have a coupon', async () => {
  const shop = await openCheckoutShop('sqlite', catalog)
  const anita = await addShopper(shop)
  const reply = await callAs(anita, shop, 'POST /payments/razorpay-order', {
    amount: 360,
    coupon: 'DIWALI'
  })
  expect(reply.body).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { coupon: 'A coupon needs the items of the order.' }
  })
})

describe('Guessing coupon codes', () => {
  const guess = (
    shop: CheckoutShop,
    coupon: string,
    { token }: { token?: string },
    ip: string
  ): Promise<Reply> => call(shop, 'POST /cart/quote', { body: { lines: items, coupon }, token, ip })
  const problemOf = (reply: Reply) =>
    (reply.body as { coupon: { problem?: string } }).coupon.problem

  test('stops after ten wrong codes of an account in an hour, and right codes are not counted', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop)
    await addCoupon(shop, 'DIWALI')
    for (let n = 0; n < 30; n++)
      expect(problemOf(await guess(shop, 'DIWALI', anita, `203.0.113.${n}`))).toBeUndefined()
    const problems = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        guess(shop, `WRONG${n}`, anita, `203.0.113.${n}`).then(problemOf)
      )
    )
    expect(problems.filter(problem => problem === 'limited')).toHaveLength(2)
    const reply = await guess(shop, 'DIWALI', anita, '203.0.113.9')
    expect(reply.body).toMatchObject({ total: 400, coupon: { problem: 'limited', discount: 0 } })
    shop.clock.advance(HOUR)
    expect(problemOf(await guess(shop, 'DIWALI', anita, '203.0.113.9'))).toBeUndefined()
  })

  test('is limited for visitors of one network', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const window_start = new Date(Math.floor(shop.clock() / HOUR) * HOUR).toISOString()
    const counted = { key: 'couponCodes of 203.0.113.9', window_start, count: 600 }
    await shop.write(trx => trx.insertInto('rate_counts').values(counted).execute())
    await addCoupon(shop, 'DIWALI')
    expect(problemOf(await guess(shop, 'DIWALI', {}, '203.0.113.9'))).toBe('limited')
    expect(problemOf(await guess(shop, 'DIWALI', {}, '203.0.113.10'))).toBeUndefined()
    // Codes that the network's limit has refused don't count for the account.
    const anita = await addShopper(shop)
    for (let n = 0; n < 12; n++) await guess(shop, `WRONG${n}`, anita, '203.0.113.9')
    expect(problemOf(await guess(shop, 'DIWALI', anita, '203.0.113.10'))).toBeUndefined()
  })
})

describe('Deleting an account', () => {
  test('does not give the person the coupon again, and the end of the coupon deletes the hash', async () => {
    const shop = await openCheckoutShop('sqlite', catalog)
    const anita = await addShopper(shop, 'anita')
    await addCoupon(shop, 'WELCOME', { once_per_person: 1, ends_at: later(shop, DAY) })
    await buy(shop, anita, items, { coupon: 'WELCOME', amount: 360 })
    await shop.write(trx =>
      trx
        .updateTable('users')
        .set({ email: 'deleted-1', deleted_at: later(shop, 0) })
        .execute()
    )
    const again = await addShopper(shop, 'anita')
    expect(await couponOf(shop, again, items, 'WELCOME')).toMatchObject({ problem: 'used' })
    const peopleOf = async () =>
      (await shop.database.kysely.selectFrom('coupon_uses').select('person').execute()).map(
        ({ person }) => person
      )
    await deleteExpired(shop)
    expect(await peopleOf()).toEqual([expect.any(String)])
    shop.clock.advance(DAY)
    await deleteExpired(shop)
    expect(await peopleOf()).toEqual([null])
  })
})

function later({ clock }: CheckoutShop, ms: number): string {
  return new Date(clock() + ms).toISOString()
}
