import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import type { Quote } from '#lib/contract/checkout.ts'
import { call, logInAsAdmin, statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  addShopper,
  buy,
  callAs,
  openCheckoutShop,
  openPayment,
  requestPayment,
  type CheckoutShop
} from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { CITY, setSettings } from '../support/places.ts'

const products = {
  lemon: { category: 'pickles', price: 120, stock: 50 },
  laddu: { category: 'sweets', price: 180, stock: 50 }
} as const
const lemons = [{ product: 'lemon', quantity: 2 }]
const chennai = { ...ADDRESS, city: 'Chennai', pincode: '600001' }

async function openFeeShop(zone: Partial<typeof CITY> = {}) {
  const shop = await openCheckoutShop('sqlite', { products })
  await setSettings(shop, {
    delivery: { zones: [{ ...CITY, ...zone }], elsewhere: 'none', pickup: true }
  })
  return { ...shop, anita: await addShopper(shop) }
}

async function quote(shop: CheckoutShop, fields: object): Promise<Quote> {
  return (await call(shop, 'POST /cart/quote', { body: { lines: lemons, ...fields } }))
    .body as Quote
}

async function setTax(shop: CheckoutShop): Promise<void> {
  const rate = { hsn: '2106', from: '2025-09-22' }
  const rates = [
    { ...rate, category: '', rate: 5 },
    { ...rate, category: 'pickles', rate: 12 }
  ]
  await setSettings(shop, {
    tax: { status: 'regular', rates },
    legal: { gstin: '33ABCDE1234F1Z7' }
  })
}

describe('The delivery fee', () => {
  test('is part of the quote as soon as the pincode is known', async () => {
    const shop = await openFeeShop()
    expect(await quote(shop, {})).not.toHaveProperty('deliveryFee')
    expect(await quote(shop, { pincode: '620002' })).toMatchObject({ deliveryFee: 40, total: 280 })
    expect(await quote(shop, { pickup: true })).toMatchObject({ deliveryFee: 0, total: 240 })
    expect(await quote(shop, { pincode: '600001' })).not.toHaveProperty('deliveryFee')
  })

  test('is never mentioned by a shop without fees', async () => {
    const shop = await openFeeShop({ fee: 0 })
    expect(await quote(shop, { pincode: '620002' })).not.toHaveProperty('deliveryFee')
    expect(await buy(shop, shop.anita, lemons)).not.toHaveProperty('deliveryFee')
  })

  test('must be paid: without it, or after a change, the price has changed', async () => {
    const shop = await openFeeShop()
    const pay = (amount: number) => requestPayment(shop, shop.anita, { items: lemons, amount })
    expect((await pay(240)).body).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { deliveryFee: 40, total: 280 }
    })
    await setSettings(shop, { delivery: { zones: [{ ...CITY, fee: 50 }] } })
    expect((await pay(280)).body).toMatchObject({
      code: 'PRICE_CHANGED',
      quote: { deliveryFee: 50, total: 290 }
    })
    expect((await pay(290)).body).toMatchObject({ amount: 29000, total: 290 })
    expect(await shop.violations()).toEqual([])
  })

  test('is free from an amount of goods after discounts', async () => {
    const shop = await openFeeShop({ freeAbove: 240 })
    expect(await quote(shop, { pincode: '620002' })).toMatchObject({ deliveryFee: 0, total: 240 })
    await addCoupon(shop, 'TEN')
    expect(await quote(shop, { pincode: '620002', coupon: 'TEN' })).toMatchObject({
      deliveryFee: 40,
      total: 256
    })
  })

  test('is all that an order with a coupon of 100% costs, and does not count for the minimum order', async () => {
    const shop = await openFeeShop()
    await addCoupon(shop, 'FREE', { percent: 100, may_be_free: 1 })
    const extra = { coupon: 'FREE' }
    const order = await openPayment(shop, shop.anita, { items: lemons, amount: 40, extra })
    expect(order).toMatchObject({ amount: 4000, total: 40 })
    await setSettings(shop, { orders: { minimumOrder: 241 } })
    const reply = await requestPayment(shop, shop.anita, { items: lemons, amount: 280 })
    expect(statusAndCode(reply)).toBe('409 BELOW_MINIMUM_ORDER')
    expect(await shop.violations()).toEqual([])
  })

  test('is named in the mails and the CSV file, and refunded with the order', async () => {
    const shop = await openFeeShop()
    const { token } = await logInAsAdmin(shop)
    const { _id, orderNumber } = await buy(shop, shop.anita, lemons, { amount: 280 })
    const csv = (await call(shop, 'GET /admin/orders/export', { token })).text
    expect(parse(csv, { bom: true, columns: true })).toMatchObject([
      { Order: orderNumber, 'Delivery fee (₹)': '40.00', 'Total (₹)': '280.00' }
    ])
    expect((await callAs(shop.anita, shop, `POST /orders/${_id}/cancel`)).status).toBe(200)
    expect(await shop.database.kysely.selectFrom('refunds').select('amount').execute()).toEqual([
      { amount: 28000 }
    ])
    await shop.deliverMails()
    const mail = shop.mails.find(({ subject }) =>
      subject.startsWith(`Your order ${orderNumber} at`)
    )
    expect(mail?.text).toMatch(/Delivery: ₹40.00/)
    expect(await shop.violations()).toEqual([])
  })

  test('is taxed at the rates of the goods, by their value, in the report too', async () => {
    const shop = await openFeeShop()
    await setTax(shop)
    await setSettings(shop, { orders: { cancellable: ['pickles', 'sweets'] } })
    const { token } = await logInAsAdmin(shop)
    const cart = [...lemons, { product: 'laddu', quantity: 2 }]
    const order: Order = await buy(shop, shop.anita, cart, { amount: 640 })
    // ₹240 at 12% and ₹360 at 5%: the fee of ₹40 has ₹16 at 12% and ₹24 at 5%.
    expect(order.deliveryTax).toEqual([
      { rate: 5, taxable: 22.86, cgst: 0.57, sgst: 0.57, igst: 0 },
      { rate: 12, taxable: 14.28, cgst: 0.86, sgst: 0.86, igst: 0 }
    ])
    await callAs(shop.anita, shop, `POST /orders/${order._id}/cancel`)
    const report = async (): Promise<string[][]> =>
      parse((await call(shop, 'GET /admin/tax-report?month=2026-11', { token })).text, {
        bom: true
      })
    const totals = (await report())
      .filter(([, kind]) => kind === 'All')
      .map(row => [row[0], row[8]])
    expect(totals).toEqual([
      ['Invoices', '640.00'],
      ['Credit notes', '-640.00'],
      ['Net', '0.00']
    ])
    expect(
      (await report()).filter(([documents]) => documents === 'Invoices').map(row => row.slice(3, 9))
    ).toEqual([
      ['5', '365.72', '9.14', '9.14', '0.00', '384.00'],
      ['12', '228.56', '13.72', '13.72', '0.00', '256.00'],
      ['', '594.28', '22.86', '22.86', '0.00', '640.00']
    ])
  })
})

describe('An address', () => {
  test('to which the shop does not deliver is refused, but pickup is possible', async () => {
    const shop = await openFeeShop()
    const pay = (extra: object) =>
      requestPayment(shop, shop.anita, {
        items: lemons,
        amount: 240,
        extra: { shippingAddress: chennai, ...extra }
      })
    expect(statusAndCode(await pay({}))).toBe('409 NOT_DELIVERED')
    expect(statusAndCode(await pay({ pickup: true }))).toBe('200')
    const orders = shop.database.kysely
      .selectFrom('orders')
      .select(['delivery_method', 'delivery_fee', 'total'])
    expect(await orders.execute()).toEqual([
      { delivery_method: 'pickup', delivery_fee: 0, total: 24000 }
    ])
  })

  test('that only a courier reaches is refused for products that must stay near', async () => {
    const shop = await openFeeShop({ method: 'courier', transitMin: 1, transitMax: 2 })
    const open = (): Promise<unknown> =>
      openPayment(shop, shop.anita, { items: lemons, amount: 280 })
    await open()
    expect(
      await shop.database.kysely
        .selectFrom('orders')
        .select(['delivery_date', 'kitchen_day', 'delivery_zone'])
        .execute()
    ).toEqual([{ delivery_date: '2026-11-25', kitchen_day: '2026-11-23', delivery_zone: 'City' }])
    await shop.write(trx =>
      trx.updateTable('products').set({ local_only: 1 }).where('id', '=', 'lemon').execute()
    )
    await expect(open()).rejects.toThrow(/near our kitchen.*NOT_DELIVERED/)
  })
})
