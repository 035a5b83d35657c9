import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import type { Settings, StoredSection } from '#lib/contract/settings.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { call, logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  addShopper,
  callAs,
  CUSTOMER,
  openCheckoutShop,
  openPayment,
  placeOrder,
  requestPayment,
  type CheckoutShop
} from '../support/checkout.ts'
import { CITY, setSettings } from '../support/places.ts'
import { testClock } from '../support/shop.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 10 },
  gift: { price: 180 }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]
/** 21 November, 23:59 in India. */
const BEFORE_MIDNIGHT = '2026-11-21T18:29:00.000Z'
const closed = { from: '2026-11-22', until: '2026-11-23', message: 'Our daughter gets married.' }

async function saveRules(shop: CheckoutShop, changes: Partial<Settings['orders']>): Promise<void> {
  const { token } = await logInAsAdmin(shop)
  const { value, version } = (await call(shop, 'GET /admin/settings/orders', { token }))
    .body as StoredSection<'orders'>
  const body = { value: { ...value, ...changes }, version }
  expect((await call(shop, 'PUT /admin/settings/orders', { token, body })).status).toBe(200)
}

async function openClosingShop() {
  const shop = await openCheckoutShop('sqlite', { products, clock: testClock(BEFORE_MIDNIGHT) })
  await saveRules(shop, { closed })
  return { shop, anita: await addShopper(shop) }
}

describe('Closed days', () => {
  test('refuse new payments from midnight to midnight in India, with the day on which orders start again', async () => {
    const { shop, anita } = await openClosingShop()
    const refused = {
      status: 409,
      body: {
        code: 'SHOP_CLOSED',
        message: 'We are closed for a holiday. We take orders again from Tue 24 Nov.'
      }
    }
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons }))).toBe('200')
    shop.clock.advance(MINUTE)
    expect(await requestPayment(shop, anita, { items: lemons })).toMatchObject(refused)
    expect(
      await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    ).toMatchObject(refused)
    shop.clock.advance(48 * HOUR - 1)
    expect(await requestPayment(shop, anita, { items: lemons })).toMatchObject(refused)
    shop.clock.advance(1)
    expect(statusAndCode(await requestPayment(shop, anita, { items: lemons }))).toBe('200')
    expect(
      statusAndCode(await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 }))
    ).toBe('200')
    expect(await shop.violations()).toEqual([])
  })

  test('accept payments that were opened before', async () => {
    const { shop, anita } = await openClosingShop()
    const key = randomUUID()
    const { id } = await openPayment(shop, anita, { items: lemons, key })
    shop.clock.advance(5 * MINUTE)
    expect((await openPayment(shop, anita, { items: lemons, key })).id).toBe(id)
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
  })

  test('are no delivery dates', async () => {
    const { shop, anita } = await openClosingShop()
    const requestDay = (deliveryDate: string) =>
      requestPayment(shop, anita, { items: lemons, extra: { deliveryDate } })
    expect(await requestDay('2026-11-23')).toMatchObject({
      status: 409,
      body: {
        code: 'DAY_CLOSED',
        fields: { deliveryDate: 'We are closed on this day. Please choose another one.' },
        nextDay: '2026-11-24'
      }
    })
    expect(statusAndCode(await requestDay('2026-11-24'))).toBe('200')
  })
})

describe('The minimum order', () => {
  test('counts drawn discounts as paid prices', async () => {
    const shop = await openCheckoutShop('sqlite', {
      products,
      deals: { festival: { product: 'gift', percent: 20 } }
    })
    await saveRules(shop, { minimumOrder: 160 })
    const anita = await addShopper(shop)
    const drawn_at = new Date(shop.clock()).toISOString()
    await shop.write(trx =>
      trx
        .insertInto('draws')
        .values({ deal_id: 'festival', user_id: anita.id, percent: 20, drawn_at, order_id: null })
        .execute()
    )
    const discounted = [{ product: 'gift', quantity: 1, dealId: 'festival' }]
    expect(await requestPayment(shop, anita, { items: discounted })).toMatchObject({
      status: 409,
      body: {
        code: 'BELOW_MINIMUM_ORDER',
        message: '₹16.00 more to reach our minimum order of ₹160.00.'
      }
    })
    expect(await shop.stockOf('gift')).toBe(20)
    expect(
      statusAndCode(
        await requestPayment(shop, anita, { items: [{ product: 'gift', quantity: 1 }] })
      )
    ).toBe('200')
  })

  test('also applies to unitemised payments', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    await saveRules(shop, { minimumOrder: 160 })
    const anita = await addShopper(shop)
    const pay = (amount: number) => callAs(anita, shop, 'POST /payments/razorpay-order', { amount })
    expect(statusAndCode(await pay(159.99))).toBe('409 BELOW_MINIMUM_ORDER')
    expect(statusAndCode(await pay(160))).toBe('200')
  })

  test('does not count the delivery fee of an unitemised payment', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    await setSettings(shop, { orders: { minimumOrder: 160 }, delivery: { zones: [CITY] } })
    const anita = await addShopper(shop)
    const place = async (amount: number, product: string) => {
      const { body } = await callAs(anita, shop, 'POST /payments/razorpay-order', { amount })
      const proof = await shop.sandbox.pay((body as PaymentOrder).id ?? '')
      const items = [{ product, quantity: 1 }]
      const order = { ...proof, items, customerDetails: CUSTOMER, shippingAddress: ADDRESS }
      return callAs(anita, shop, 'POST /orders', order)
    }
    expect(await place(160, 'lemon')).toMatchObject({
      status: 409,
      body: {
        code: 'PAYMENT_REFUNDED',
        message:
          '₹40.00 more to reach our minimum order of ₹160.00. Your payment will be refunded in full.'
      }
    })
    expect(statusAndCode(await place(220, 'gift'))).toBe('201')
    expect(await shop.violations()).toEqual([])
  })
})
