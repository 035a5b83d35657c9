import { describe, expect, test } from 'vitest'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { HOUR, MINUTE } from '#lib/time.ts'
import { statusAndCode } from '../support/accounts.ts'
import {
  ADDRESS,
  callAs,
  CUSTOMER,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  type CheckoutShop,
  type Shopper
} from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { CITY, setSettings } from '../support/places.ts'
import type { Reply } from '../support/shop.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 10 } } as const
const lemons = [{ product: 'lemon', quantity: 2 }]

describe('POST /payments/razorpay-callback', () => {
  const postCallback = (shop: CheckoutShop, form: Record<string, string>): Promise<Reply> =>
    shop.request({
      method: 'POST',
      url: '/api/payments/razorpay-callback',
      payload: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://api.razorpay.com'
      }
    })

  test('places the order without a session and redirects to the cart', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    const reply = await postCallback(shop, { ...proof })
    expect([reply.status, reply.headers['location'], reply.text]).toEqual([
      303,
      `/cart?order=${orderId}`,
      ''
    ])
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect((await postCallback(shop, { ...proof })).headers['location']).toBe(
      `/cart?order=${orderId}`
    )
    expect((await placeOrder(shop, anita, proof)).status).toBe(200)
    expect(await shop.violations()).toEqual([])
  })

  test('redirects to the cart with the order id if the payment failed', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openPayment(shop, anita, { items: lemons })
    const failedForm = {
      'error[code]': 'BAD_REQUEST_ERROR',
      'error[description]': 'Payment failed',
      'error[metadata]': JSON.stringify({ order_id: id, payment_id: 'pay_00000000000001' })
    }
    expect((await postCallback(shop, failedForm)).headers['location']).toBe(
      `/cart?order=${orderId}`
    )
    expect((await callAs(anita, shop, `POST /payments/${orderId}/sync`)).body).toMatchObject({
      state: 'unpaid'
    })
  })

  test('redirects to the plain cart address if the form is unsigned, malformed or names an unknown order', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const { id } = await openPayment(shop, anita, { items: lemons })
    const proof = await shop.sandbox.pay(id)
    const forms = [
      { ...proof, razorpay_signature: 'x' },
      { ...proof, razorpay_order_id: 'order_00000000000001' },
      { 'error[metadata]': '{' },
      { 'error[metadata]': '{"order_id":"order_00000000000001"}' },
      {}
    ]
    for (const form of forms)
      expect((await postCallback(shop, form)).headers['location']).toBe('/cart')
    expect(await myOrders(shop, anita)).toEqual([])
  })
})

const openUnitemised = async (
  shop: CheckoutShop,
  shopper: Shopper,
  amount: number
): Promise<PaymentOrder & { id: string }> =>
  (await callAs(shopper, shop, 'POST /payments/razorpay-order', { amount }))
    .body as PaymentOrder & { id: string }

const body = {
  items: lemons,
  totalAmount: 240,
  customerDetails: CUSTOMER,
  shippingAddress: ADDRESS
}

describe('Payment created without a list of items', () => {
  test('is refunded if POST /orders is not called within 30 minutes, or if the shopper pays after this time', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const [first, second] = [
      await openUnitemised(shop, anita, 240),
      await openUnitemised(shop, anita, 240)
    ]
    const proof = await shop.sandbox.pay(first.id)
    await shop.deliverWebhooks()
    shop.clock.advance(29 * MINUTE)
    await shop.reconcile()
    expect(await shop.database.kysely.selectFrom('refunds').selectAll().execute()).toEqual([])
    shop.clock.advance(2 * MINUTE)
    await shop.reconcile()
    expect(statusAndCode(await callAs(anita, shop, 'POST /orders', { ...body, ...proof }))).toBe(
      '409 PAYMENT_REFUNDED'
    )
    await shop.sandbox.pay(second.id)
    await shop.deliverWebhooks()
    await shop.reconcile()
    const refunds = await shop.database.kysely
      .selectFrom('refunds')
      .select(['reason', 'state'])
      .execute()
    expect(refunds).toEqual([
      { reason: 'unclaimed', state: 'processed' },
      { reason: 'unclaimed', state: 'processed' }
    ])
    expect(await shop.violations()).toEqual([])
  })

  test('becomes an order only if signature, shopper and order fields are valid', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const [anita, bala] = [await addShopper(shop), await addShopper(shop)]
    const proof = await shop.sandbox.pay((await openUnitemised(shop, anita, 240)).id)
    const send = async (shopper: Shopper, more: object) =>
      statusAndCode(await callAs(shopper, shop, 'POST /orders', { ...body, ...proof, ...more }))
    expect(await send(bala, {})).toBe('404 ORDER_NOT_FOUND')
    expect(await send(anita, { razorpay_signature: 'x' })).toBe('400 INVALID_PAYMENT')
    expect(await send(anita, { items: undefined })).toBe('400 INVALID_INPUT')
    const wrongPhone = { customerDetails: { ...CUSTOMER, phone: '1' } }
    expect(
      (await callAs(anita, shop, 'POST /orders', { ...body, ...proof, ...wrongPhone })).body
    ).toMatchObject({
      message:
        'Please enter a valid 10-digit phone number. Please correct this and send the order again. Otherwise your payment is refunded in full.',
      fields: { 'customerDetails.phone': 'Please enter a valid 10-digit phone number' }
    })
    expect(await send(anita, {})).toBe('201')
    expect(
      statusAndCode(await callAs(anita, shop, 'POST /payments/razorpay-order', { amount: 0.5 }))
    ).toBe('400 AMOUNT_TOO_SMALL')
  })
})

describe.each(ENGINES)('Payment created without a list of items on %s', engine => {
  test('becomes an order if POST /orders is called with the items, as in the specification', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const payment = await openUnitemised(shop, anita, 240)
    expect(payment).toMatchObject({ amount: 24_000, currency: 'INR', holdUntil: null })
    const proof = await shop.sandbox.pay(payment.id)
    await shop.deliverWebhooks()
    const order = {
      ...body,
      ...proof,
      paymentMethod: 'razorpay',
      paymentStatus: 'completed',
      deliveryDate: null
    }
    const reply = await callAs(anita, shop, 'POST /orders', order)
    expect(reply).toMatchObject({
      status: 201,
      body: { status: 'pending', totalAmount: 240, ...proof }
    })
    expect((await callAs(anita, shop, 'POST /orders', order)).status).toBe(200)
    expect(await shop.stockOf('lemon')).toBe(8)
    shop.clock.advance(HOUR)
    await shop.reconcile()
    expect(await myOrders(shop, anita)).toMatchObject([{ paymentStatus: 'completed' }])
    expect(await shop.violations()).toEqual([])
  })

  test('is refunded at once if another order of the shopper has its id as checkout key', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const { id, orderId } = await openUnitemised(shop, anita, 240)
    await openPayment(shop, anita, { items: lemons, key: orderId })
    const proof = await shop.sandbox.pay(id)
    expect(statusAndCode(await callAs(anita, shop, 'POST /orders', { ...body, ...proof }))).toBe(
      '409 PAYMENT_REFUNDED'
    )
    await shop.reconcile()
    const refunds = await shop.database.kysely
      .selectFrom('refunds')
      .select(['reason', 'state'])
      .execute()
    expect(refunds).toEqual([{ reason: 'unclaimed', state: 'processed' }])
    expect(await shop.violations()).toEqual([])
  })

  test('becomes only one order if POST /orders is called many times in parallel', async () => {
    const shop = await openCheckoutShop(engine, { products })
    const anita = await addShopper(shop)
    const proof = await shop.sandbox.pay((await openUnitemised(shop, anita, 240)).id)
    const requests = Array.from({ length: 8 }, () =>
      callAs(anita, shop, 'POST /orders', { ...body, ...proof })
    )
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.every(status => status === 200 || status === 201)).toBe(true)
    expect(await myOrders(shop, anita)).toHaveLength(1)
    expect(await shop.stockOf('lemon')).toBe(8)
    expect(await shop.violations()).toEqual([])
  })
})

describe('Payment created without a list of items', () => {
  test('uses a drawn discount for one pack at the reduced price, once, without a dealId', async () => {
    const shop = await openCheckoutShop('sqlite', {
      products: { laddu: { price: 180.5, stock: 10 } },
      deals: { festival: { product: 'laddu', percent: 20 } },
      randomInt: () => 17
    })
    const anita = await addShopper(shop)
    await callAs(anita, shop, 'POST /flash-deals/generate/laddu')
    const items = [
      { product: 'laddu', quantity: 1, price: 149.815 },
      { product: 'laddu', quantity: 1, price: 180.5 }
    ]
    const send = async () => {
      const proof = await shop.sandbox.pay((await openUnitemised(shop, anita, 330.32)).id)
      return callAs(anita, shop, 'POST /orders', { ...body, items, totalAmount: 330.32, ...proof })
    }
    expect(await send()).toMatchObject({
      status: 201,
      body: { totalAmount: 330.32, items: [{ price: 149.82, discount: 17 }, { price: 180.5 }] }
    })
    expect((await callAs(anita, shop, 'GET /flash-deals/mine')).body).toMatchObject([
      { used: true }
    ])
    expect(statusAndCode(await send())).toBe('409 PAYMENT_REFUNDED')
    expect(await shop.violations()).toEqual([])
  })

  test('is refunded if its amount differs from the order total or the stock is too low', async () => {
    const shop = await openCheckoutShop('sqlite', { products })
    const anita = await addShopper(shop)
    const cheapProof = await shop.sandbox.pay((await openUnitemised(shop, anita, 1)).id)
    const reply = await callAs(anita, shop, 'POST /orders', { ...body, ...cheapProof })
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_REFUNDED', quote: { total: 240 } }
    })
    const largeOrder = { ...body, items: [{ product: 'lemon', quantity: 20 }] }
    const largeProof = await shop.sandbox.pay((await openUnitemised(shop, anita, 2400)).id)
    expect(
      statusAndCode(await callAs(anita, shop, 'POST /orders', { ...largeOrder, ...largeProof }))
    ).toBe('409 PAYMENT_REFUNDED')
    expect(
      statusAndCode(await callAs(anita, shop, 'POST /orders', { ...body, ...cheapProof }))
    ).toBe('409 PAYMENT_REFUNDED')
    await shop.reconcile()
    await shop.deliverMails()
    expect(shop.mails.filter(({ to }) => to.startsWith('shopper-'))).toHaveLength(2)
    expect(await shop.violations()).toEqual([])
  })

  const bengaluru = { ...ADDRESS, city: 'Bengaluru', state: 'Karnataka', pincode: '560001' }

  test.for<
    [situation: string, order: { amount?: number; [field: string]: unknown }, message: RegExp]
  >([
    [
      'a product does not exist',
      { items: [{ product: 'gone', quantity: 1 }] },
      /^We couldn’t place this order/
    ],
    [
      'the shop does not deliver to the state',
      { shippingAddress: bengaluru },
      /^We deliver only within Tamil Nadu/
    ],
    [
      'a product can’t be sent there',
      { items: [{ product: 'laddu', quantity: 2 }] },
      /^laddu: This does not travel/
    ],
    ['the shop has no pickup', { pickup: true }, /^We don’t deliver to this pincode/],
    [
      'the goods are below the minimum',
      { amount: 120, items: [{ product: 'lemon', quantity: 1 }] },
      /^₹80.00 more/
    ]
  ])('is refunded at once if %s', async ([, { amount = 240, ...extra }, message]) => {
    const shop = await openCheckoutShop('sqlite', {
      products: { ...products, laddu: { price: 120 } }
    })
    await shop.write(trx =>
      trx.updateTable('products').set({ local_only: 1 }).where('id', '=', 'laddu').execute()
    )
    const anita = await addShopper(shop)
    const { id } = await openUnitemised(shop, anita, amount)
    const { tax } = EMPTY_SETTINGS
    const zone = { ...CITY, pincodes: '', method: 'courier', fee: 0 } as const
    await setSettings(shop, {
      orders: { minimumOrder: 200 },
      delivery: { zones: [zone] },
      shop: { address: { street: '', area: '', city: '', state: 'Tamil Nadu', pincode: '' } },
      tax: { ...tax, otherStates: false }
    })
    const reply = await callAs(anita, shop, 'POST /orders', {
      ...body,
      ...(await shop.sandbox.pay(id)),
      ...extra
    })
    expect(statusAndCode(reply)).toBe('409 PAYMENT_REFUNDED')
    expect((reply.body as { message: string }).message).toMatch(message)
    await shop.reconcile()
    const [payment] = await shop.database.kysely.selectFrom('payments').selectAll().execute()
    expect(payment).toMatchObject({ status: 'refunded' })
    expect(await shop.violations()).toEqual([])
  })
})
