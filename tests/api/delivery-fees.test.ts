import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Quote } from '#lib/contract/checkout.ts'
import { call, expectBody, expectOk, expectOutcome } from '../support/accounts.ts'
import { fieldsOf, withAdmin } from '../support/admin-products.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  CUSTOMER,
  expectInvariants,
  openCheckoutShop,
  requestPayment
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { CITY, setSettings } from '../support/places.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 50 },
  laddu: { category: 'sweets', price: 180, stock: 50 }
} as const
const items = [{ product: 'lemon', quantity: 2 }]

async function openFeeShop(zone: Partial<typeof CITY> = {}) {
  const shop = await openCheckoutShop('sqlite', { products })
  expectInvariants(shop)
  await setSettings(shop, {
    delivery: { zones: [{ ...CITY, ...zone }], elsewhere: 'none', pickup: true }
  })
  const anita = await addShopper(shop)
  return {
    ...shop,
    anita,
    pay: (amount: number, extra: object = {}) =>
      requestPayment(shop, anita, { items, amount, extra }),
    async quote(fields: object) {
      const body = { lines: items, ...fields }
      return (await call(shop, 'POST /cart/quote', { body })).body as Quote
    }
  }
}

describe('The delivery fee', () => {
  test('is part of the quote as soon as the pincode is known, if the shop has fees', async () => {
    const { quote, ...shop } = await openFeeShop()
    expect(await quote({})).not.toHaveProperty('deliveryFee')
    expect(await quote({ pincode: '620002' })).toMatchObject({ deliveryFee: 40, total: 280 })
    expect(await quote({ pickup: true })).toMatchObject({ deliveryFee: 0, total: 240 })
    expect(await quote({ pincode: '600001' })).not.toHaveProperty('deliveryFee')
    await setSettings(shop, { delivery: { zones: [{ ...CITY, fee: 0 }] } })
    expect(await quote({ pincode: '620002' })).not.toHaveProperty('deliveryFee')
    expect(await buy(shop, shop.anita, items)).not.toHaveProperty('deliveryFee')
  })

  test('must be paid: without it, or after a change, the price has changed', async () => {
    const { pay, ...shop } = await openFeeShop()
    await expectBody(pay(240), {
      code: 'PRICE_CHANGED',
      quote: { deliveryFee: 40, total: 280 }
    })
    await setSettings(shop, { delivery: { zones: [{ ...CITY, fee: 50 }] } })
    await expectBody(pay(280), {
      code: 'PRICE_CHANGED',
      quote: { deliveryFee: 50, total: 290 }
    })
    await expectBody(pay(290), { amount: 29000, total: 290 })
  })

  test('is free from an amount of goods after discounts', async () => {
    const { quote, ...shop } = await openFeeShop({ freeAbove: 240 })
    const pincode = '620002'
    expect(await quote({ pincode })).toMatchObject({ deliveryFee: 0, total: 240 })
    await addCoupon(shop, 'TEN')
    expect(await quote({ pincode, coupon: 'TEN' })).toMatchObject({ deliveryFee: 40, total: 256 })
  })

  test('is all that an order with a coupon of 100% costs, and does not count for the minimum order', async () => {
    const { pay, ...shop } = await openFeeShop()
    await addCoupon(shop, 'FREE', { percent: 100, may_be_free: 1 })
    await expectBody(pay(40, { coupon: 'FREE' }), { amount: 4000, total: 40 })
    await setSettings(shop, { orders: { minimumOrder: 241 } })
    await expectOutcome(pay(280), '409 BELOW_MINIMUM_ORDER')
  })

  test('is named in the CSV file, and refunded with the order', async () => {
    const { callAsAdmin, ...shop } = await withAdmin(await openFeeShop())
    const { _id, orderNumber } = await buy(shop, shop.anita, items, { amount: 280 })
    const csv = (await callAsAdmin('GET /admin/orders/export')).text
    expect(parse(csv, { bom: true, columns: true })).toMatchObject([
      { Order: orderNumber, 'Delivery fee (₹)': '40.00', 'Total (₹)': '280.00' }
    ])
    await expectOk(callAs(shop.anita, shop, `POST /orders/${_id}/cancel`))
    expect(await shop.database.kysely.selectFrom('refunds').select('amount').execute()).toEqual([
      { amount: 28000 }
    ])
  })

  test('is taxed at the rates of the goods, by their value, in the report too', async () => {
    const { callAsAdmin, ...shop } = await withAdmin(await openFeeShop())
    const rate = { hsn: '2106', from: '2025-09-22' }
    const rates = [
      { ...rate, category: '', rate: 5 },
      { ...rate, category: 'pickles', rate: 12 }
    ]
    await setSettings(shop, {
      tax: { status: 'regular', rates },
      legal: { gstin: '33ABCDE1234F1Z7' }
    })
    const cart = [...items, { product: 'laddu', quantity: 2 }]
    const order = await buy(shop, shop.anita, cart, { amount: 640 })
    // ₹240 at 12% and ₹360 at 5%: the fee of ₹40 has ₹16 at 12% and ₹24 at 5%.
    expect(order.deliveryTax).toEqual([
      { rate: 5, taxable: 22.86, cgst: 0.57, sgst: 0.57, igst: 0 },
      { rate: 12, taxable: 14.28, cgst: 0.86, sgst: 0.86, igst: 0 }
    ])
    const { text } = await callAsAdmin('GET /admin/tax-report?month=2026-11')
    const rows: string[][] = parse(text, { bom: true })
    expect(
      rows.filter(([documents]) => documents === 'Invoices').map(row => row.slice(3, 9))
    ).toEqual([
      ['5', '365.72', '9.14', '9.14', '0.00', '384.00'],
      ['12', '228.56', '13.72', '13.72', '0.00', '256.00'],
      ['', '594.28', '22.86', '22.86', '0.00', '640.00']
    ])
  })
})

describe('An address', () => {
  test('to which the shop does not deliver is refused, but pickup is possible', async () => {
    const { pay, ...shop } = await openFeeShop()
    const shippingAddress = { ...ADDRESS, city: 'Chennai', pincode: '600001' }
    await expectOutcome(pay(240, { shippingAddress }), '409 NOT_DELIVERED')
    await expectOk(pay(240, { shippingAddress, pickup: true }))
    const orders = shop.database.kysely
      .selectFrom('orders')
      .select(['delivery_method', 'delivery_fee', 'total'])
    expect(await orders.execute()).toEqual([
      { delivery_method: 'pickup', delivery_fee: 0, total: 24000 }
    ])
  })

  test('that only a courier reaches is refused for products that must stay near', async () => {
    const { pay, ...shop } = await openFeeShop({ method: 'courier', transitMin: 1, transitMax: 2 })
    await pay(280)
    expect(
      await shop.database.kysely
        .selectFrom('orders')
        .select(['delivery_date', 'kitchen_day', 'delivery_zone'])
        .execute()
    ).toEqual([{ delivery_date: '2026-11-25', kitchen_day: '2026-11-23', delivery_zone: 'City' }])
    await shop.write(trx => trx.updateTable('products').set({ local_only: 1 }).execute())
    await expectBody(pay(280), {
      code: 'NOT_DELIVERED',
      message: expect.stringMatching(/near our kitchen/)
    })
  })

  test('with a wrong pincode is refused, also in the order of an unitemised payment', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const payment = await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 240 })
    const proof = await shop.sandbox.pay((payment.body as { id: string }).id)
    const order = { ...proof, items, customerDetails: CUSTOMER }
    const sendAll = async (changes: object) => {
      const shippingAddress = { ...ADDRESS, ...changes }
      return [
        await requestPayment(shop, anita, { items, amount: 240, extra: { shippingAddress } }),
        await callAs(anita, shop, 'POST /orders', { ...order, shippingAddress })
      ]
    }
    const noPincode = {
      'shippingAddress.pincode': 'There is no such pincode. Please check it.'
    }
    const otherState = { 'shippingAddress.state': '560001 is in Karnataka' }
    for (const reply of await sendAll({ pincode: '100001' }))
      expect(fieldsOf(reply)).toEqual(noPincode)
    for (const reply of await sendAll({ pincode: '560001', state: 'Kerala' }))
      expect(fieldsOf(reply)).toEqual(otherState)
    const replies = await sendAll({ pincode: '605110', state: 'Puducherry' })
    expect(replies.map(({ status }) => status)).toEqual([200, 201])
  })
})
