import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { LADDUS, openCheckedShop, type AdminOrdersShop } from '../support/admin-orders.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  openLemonShop,
  openPayment,
  placeOrder,
  requestPayment,
  type Shopper
} from '../support/checkout.ts'
import { CITY, setSettings } from '../support/places.ts'
import { testClock } from '../support/shop.ts'

/** 21 November, 23:59 in India. */
const BEFORE_MIDNIGHT = '2026-11-21T18:29:00.000Z'
const CLOSED = { from: '2026-11-22', until: '2026-11-23', message: 'Our daughter gets married.' }

describe('Closed days', () => {
  async function openClosingShop() {
    const opened = await openLemonShop('sqlite', {
      clock: testClock(BEFORE_MIDNIGHT),
      deals: { festival: { product: 'laddu', percent: 20, to: 96 * HOUR } }
    })
    await setSettings(opened.shop, { orders: { closed: CLOSED } })
    const { shop, anita } = opened
    return {
      ...opened,
      open: () => requestPayment(shop, anita),
      openUnitemised: () => callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    }
  }

  test('refuse new payments from midnight to midnight in India, with the day on which orders start again', async () => {
    const { shop, open, openUnitemised } = await openClosingShop()
    const refused = {
      status: 409,
      body: {
        code: 'SHOP_CLOSED',
        message: 'We are closed for a holiday. We take orders again from Tue 24 Nov.'
      }
    }
    await expectOk(open())
    shop.clock.advance(MINUTE)
    expect(await open()).toMatchObject(refused)
    expect(await openUnitemised()).toMatchObject(refused)
    shop.clock.advance(48 * HOUR - 1)
    expect(await open()).toMatchObject(refused)
    shop.clock.advance(1)
    await expectOk(open())
    await expectOk(openUnitemised())
  })

  test('refuse draws, and keep a discount that was drawn before', async () => {
    const { shop, anita, ...others } = await openClosingShop()
    const draw = (shopper: Shopper) => callAs(shopper, shop, 'POST /flash-deals/generate/laddu')
    await draw(anita)
    shop.clock.advance(MINUTE)
    expect(statusAndCode(await draw(others.bala))).toBe('409 SHOP_CLOSED')
    expect(await draw(anita)).toMatchObject({ status: 200, body: { dealId: 'festival' } })
    shop.clock.advance(48 * HOUR)
    await expectOk(draw(others.bala))
  })

  test('accept payments that were opened before', async () => {
    const { shop, anita } = await openClosingShop()
    const key = randomUUID()
    const { id } = await openPayment(shop, anita, { key })
    shop.clock.advance(5 * MINUTE)
    expect((await openPayment(shop, anita, { key })).id).toBe(id)
    expect((await placeOrder(shop, anita, await shop.sandbox.pay(id))).status).toBe(201)
  })
})

describe('The minimum order', () => {
  test('counts drawn discounts as paid prices', async () => {
    const { shop, anita } = await openLemonShop('sqlite', {
      deals: { festival: { product: 'laddu', percent: 20 } },
      randomInt: () => 20
    })
    await setSettings(shop, { orders: { minimumOrder: 160 } })
    await callAs(anita, shop, 'POST /flash-deals/generate/laddu')
    const items = [{ product: 'laddu', quantity: 1, dealId: 'festival' }]
    expect(await requestPayment(shop, anita, { items })).toMatchObject({
      status: 409,
      body: {
        code: 'BELOW_MINIMUM_ORDER',
        message: '₹15.60 more to reach our minimum order of ₹160.00.'
      }
    })
    expect(await shop.stockOf('laddu')).toBe(20)
    await expectOk(requestPayment(shop, anita, { items: LADDUS }))
  })

  test('also applies to unitemised payments, and does not count their delivery fee', async () => {
    const { shop, anita } = await openLemonShop()
    await setSettings(shop, { orders: { minimumOrder: 160 }, delivery: { zones: [CITY] } })
    const open = (amount: number) =>
      callAs(anita, shop, 'POST /payments/razorpay-order', { amount })
    await expectOutcome(open(159.99), '409 BELOW_MINIMUM_ORDER')
    const place = async (amount: number, product: string) => {
      const { id } = (await open(amount)).body as PaymentOrder
      const proof = await shop.sandbox.pay(id ?? '')
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
    expect((await place(220.5, 'laddu')).status).toBe(201)
  })
})

const LEGAL = { fssai: '12422999000123', grievanceOfficer: { name: 'Meena', designation: '' } }

function useLiveKeys({ app }: AdminOrdersShop) {
  app.payments.settings.keyId = 'rzp_live_1DP5mmOlF5G5ag'
}

describe('Payments with live keys', () => {
  test('wait for an FSSAI number and a grievance officer, and tell the reason only to administrators', async () => {
    const shop = await openCheckedShop()
    useLiveKeys(shop)
    const request = async (legal: object) => {
      await setSettings(shop, { legal: { ...LEGAL, ...legal } })
      return statusAndCode(await requestPayment(shop, shop.anita, { items: LADDUS }))
    }
    const refused = '503 LEGAL_DETAILS_MISSING'
    expect(await request({ fssai: '' })).toBe(refused)
    expect(await request({ grievanceOfficer: { name: '', designation: 'Owner' } })).toBe(refused)
    for (const [staff, message] of [
      [null, 'We can’t take orders yet. Please come back soon.'],
      ['owner', ADMIN_MESSAGES.legalMissing]
    ] as const) {
      const shopper = await addShopper(shop, undefined, staff)
      await expectBody(requestPayment(shop, shopper), { message })
    }
    expect(await request({})).toBe('200')
  })

  test('mark orders as real ones, others as test orders', async () => {
    const shop = await openCheckedShop()
    await setSettings(shop, { legal: LEGAL })
    const test = await buy(shop, shop.anita)
    useLiveKeys(shop)
    const live = await buy(shop, shop.anita)
    expect(await shop.fetchOrder(test._id)).toMatchObject({ isTest: true })
    expect(await shop.fetchOrder(live._id)).toMatchObject({ isTest: false })
  })
})
