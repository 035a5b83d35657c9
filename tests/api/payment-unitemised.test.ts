import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  buy,
  callAs,
  CUSTOMER,
  LEMONS,
  myOrders,
  openLemonShop,
  openPayment,
  placeOrder,
  refundsOf,
  requestPayment,
  type CheckoutShop,
  type Shopper,
  subjectsOf
} from '../support/checkout.ts'
import { BOTH_ENGINES, ENGINES } from '../support/database.ts'
import { setSettings } from '../support/places.ts'

describe('POST /payments/razorpay-callback', () => {
  const postCallback = (shop: CheckoutShop, form: object) =>
    shop.request({
      method: 'POST',
      url: '/api/payments/razorpay-callback',
      payload: new URLSearchParams({ ...form }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://api.razorpay.com'
      }
    })

  test('places the order without a session and redirects to the cart', async () => {
    const { shop, anita } = await openLemonShop()
    const { id, orderId } = await openPayment(shop, anita)
    const proof = await shop.sandbox.pay(id)
    for (let n = 0; n < 2; n++) {
      const { status, headers, text } = await postCallback(shop, proof)
      expect([status, headers['location'], text]).toEqual([303, `/cart?order=${orderId}`, ''])
    }
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    await expectOk(placeOrder(shop, anita, proof))
  })

  test('redirects to the cart with the order id if the payment failed', async () => {
    const { shop, anita } = await openLemonShop()
    const { id, orderId } = await openPayment(shop, anita)
    const metadata = JSON.stringify({ order_id: id, payment_id: 'pay_00000000000001' })
    const form = { 'error[code]': 'BAD_REQUEST_ERROR', 'error[metadata]': metadata }
    const { headers } = await postCallback(shop, form)
    expect(headers['location']).toBe(`/cart?order=${orderId}`)
    const { body } = await callAs(anita, shop, `POST /payments/${orderId}/sync`)
    expect(body).toMatchObject({ state: 'unpaid' })
  })

  test('redirects to the plain cart address if the form is unsigned, malformed or names an unknown order', async () => {
    const { shop, anita } = await openLemonShop()
    const proof = await shop.sandbox.pay((await openPayment(shop, anita)).id)
    for (const form of [
      { ...proof, razorpay_signature: 'x' },
      { 'error[metadata]': '{' },
      { 'error[metadata]': '{"order_id":"order_00000000000001"}' }
    ])
      expect((await postCallback(shop, form)).headers['location']).toBe('/cart')
    expect(await myOrders(shop, anita)).toEqual([])
    await shop.deliverWebhooks()
  })
})

type Payment = PaymentOrder & { id: string }

const open = (shop: CheckoutShop, shopper: Shopper, amount = 240) =>
  callAs(shopper, shop, 'POST /payments/razorpay-order', { amount })

const pay = async (shop: CheckoutShop, shopper: Shopper, amount?: number) =>
  shop.sandbox.pay(((await open(shop, shopper, amount)).body as Payment).id)

const order = {
  items: LEMONS,
  totalAmount: 240,
  customerDetails: CUSTOMER,
  shippingAddress: ADDRESS
}

const place = (shop: CheckoutShop, shopper: Shopper, fields: object) =>
  callAs(shopper, shop, 'POST /orders', { ...order, ...fields })

describe.each(ENGINES)('Payment created without a list of items on %s', engine => {
  test('becomes an order if POST /orders is called with the items, as in the specification', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const payment = (await open(shop, anita)).body as Payment
    expect(payment).toMatchObject({ amount: 24_000, currency: 'INR', holdUntil: null })
    const proof = await shop.sandbox.pay(payment.id)
    await shop.deliverWebhooks()
    const status = { paymentMethod: 'razorpay', paymentStatus: 'completed', deliveryDate: null }
    expect(await place(shop, anita, { ...proof, ...status })).toMatchObject({
      status: 201,
      body: { status: 'pending', totalAmount: 240, ...proof }
    })
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ paymentStatus: 'completed' }])
  })

  test('takes a gift as the itemised call does, with a message of 200 letters as people see them', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const proof = await pay(shop, anita)
    const placeGift = (gift: unknown) => place(shop, anita, { ...proof, gift })
    const buyGift = (gift: unknown) =>
      requestPayment(shop, anita, { items: LEMONS, amount: 240, extra: { gift } })
    for (const [gift, field] of [
      [{ message: 'கி'.repeat(201) }, 'gift.message'],
      [{ message: `a${'\u0301'.repeat(1001)}` }, 'gift.message'],
      [{ name: ['Lakshmi'] }, 'gift.name'],
      ['yes', 'gift']
    ] as const)
      for (const send of [placeGift, buyGift])
        expect(await send(gift)).toMatchObject({
          status: 400,
          body: { fields: { [field]: expect.any(String) } }
        })
    const message = 'கி'.repeat(200)
    await expectBody(placeGift({ name: ' Lakshmi\nB. ', message }), {
      gift: { name: 'Lakshmi B.', message }
    })
    const { gift } = await buy(shop, anita, LEMONS, { gift: {} })
    expect(gift).toEqual({ name: '', message: '' })
    expect(await buy(shop, anita, LEMONS)).not.toHaveProperty('gift')
  })

  test('is refunded if POST /orders is not called within 30 minutes, or if it is paid after this time', async () => {
    const { shop, anita } = await openLemonShop(engine)
    const late = (await open(shop, anita)).body as Payment
    const proof = await pay(shop, anita)
    await shop.deliverWebhooks()
    shop.clock.advance(29 * MINUTE)
    await shop.reconcile()
    expect(await refundsOf(shop)).toEqual([])
    shop.clock.advance(2 * MINUTE)
    await shop.reconcile()
    await expectOutcome(place(shop, anita, proof), '409 PAYMENT_REFUNDED')
    await shop.sandbox.pay(late.id)
    await shop.deliverWebhooks()
    await shop.reconcile()
    const refund = { reason: 'unclaimed', state: 'processed' }
    expect(await refundsOf(shop)).toMatchObject([refund, refund])
  })
})

test.for(BOTH_ENGINES)(
  'An unitemised payment becomes only one order if POST /orders is called many times in parallel on %s',
  async engine => {
    const { shop, anita } = await openLemonShop(engine)
    const proof = await pay(shop, anita)
    const requests = Array.from({ length: 8 }, () => place(shop, anita, proof))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.every(status => status === 200 || status === 201)).toBe(true)
    expect(await myOrders(shop, anita)).toHaveLength(1)
    expect(await shop.stockOf('lemon')).toBe(8)
  }
)

describe('Payment created without a list of items', () => {
  test('becomes an order only if amount, signature, shopper and order fields are valid', async () => {
    const { shop, anita, bala } = await openLemonShop()
    await expectOutcome(open(shop, anita, 0.5), '400 AMOUNT_TOO_SMALL')
    const proof = await pay(shop, anita)
    const send = async (shopper: Shopper, more: object) =>
      statusAndCode(await place(shop, shopper, { ...proof, ...more }))
    expect(await send(bala, {})).toBe('404 ORDER_NOT_FOUND')
    expect(await send(anita, { razorpay_signature: 'x' })).toBe('400 INVALID_PAYMENT')
    expect(await send(anita, { items: undefined })).toBe('400 INVALID_INPUT')
    const customerDetails = { ...CUSTOMER, phone: '1' }
    await expectBody(place(shop, anita, { ...proof, customerDetails }), {
      message:
        'Please enter a valid 10-digit phone number. Please correct this and send the order again. Otherwise your payment is refunded in full.',
      fields: { 'customerDetails.phone': 'Please enter a valid 10-digit phone number' }
    })
    expect(await send(anita, {})).toBe('201')
  })

  test('uses a drawn discount for one pack at the reduced price, once, without a dealId', async () => {
    const { shop, anita } = await openLemonShop('sqlite', {
      deals: { festival: { product: 'laddu', percent: 20 } },
      randomInt: () => 17
    })
    await callAs(anita, shop, 'POST /flash-deals/generate/laddu')
    const items = [149.815, 180.5].map(price => ({ product: 'laddu', quantity: 1, price }))
    const send = async () =>
      place(shop, anita, { items, totalAmount: 330.32, ...(await pay(shop, anita, 330.32)) })
    expect(await send()).toMatchObject({
      status: 201,
      body: { totalAmount: 330.32, items: [{ price: 149.82, discount: 17 }, { price: 180.5 }] }
    })
    const { body } = await callAs(anita, shop, 'GET /flash-deals/mine')
    expect(body).toMatchObject([{ used: true }])
    await expectOutcome(send(), '409 PAYMENT_REFUNDED')
  })

  test('is refunded with a mail if its amount differs from the order total or the stock is too low', async () => {
    const { shop, anita } = await openLemonShop()
    const cheap = await pay(shop, anita, 1)
    expect(await place(shop, anita, cheap)).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_REFUNDED', quote: { total: 240 } }
    })
    const items = [{ product: 'lemon', quantity: 20 }]
    const large = await place(shop, anita, { items, ...(await pay(shop, anita, 2400)) })
    await expectOutcome(large, '409 PAYMENT_REFUNDED')
    await shop.reconcile()
    expect(await subjectsOf(shop, 'anita@example.com')).toHaveLength(2)
  })

  test.for<[situation: string, fields: object, message: RegExp]>([
    [
      'a product does not exist',
      { items: [{ product: 'gone', quantity: 1 }] },
      /^We couldn’t place this order/
    ],
    [
      'the shop does not deliver to the state',
      { shippingAddress: { ...ADDRESS, city: 'Bengaluru', state: 'Karnataka', pincode: '560001' } },
      /^We deliver only within Tamil Nadu/
    ],
    ['the shop has no pickup', { pickup: true }, /^We don’t deliver to this pincode/]
  ])('is refunded at once if %s', async ([, fields, message]) => {
    const { shop, anita } = await openLemonShop()
    await setSettings(shop, {
      shop: { address: { street: '', area: '', city: '', state: 'Tamil Nadu', pincode: '' } },
      tax: { otherStates: false }
    })
    const proof = await pay(shop, anita)
    const { status, body } = await place(shop, anita, { ...proof, ...fields })
    expect([status, (body as { message: string }).message]).toEqual([
      409,
      expect.stringMatching(message)
    ])
    await shop.reconcile()
    expect((await shop.sandbox.fetchPayment(proof.razorpay_payment_id)).status).toBe('refunded')
  })
})
