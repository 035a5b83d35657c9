import { describe, expect, test, vi } from 'vitest'
import {
  CHECKOUT,
  openCheckout,
  orderReply,
  ORDER,
  PAYMENT_RESPONSE,
  waitForUpdates,
  STARTED
} from './checkout-page.ts'
import { errorReply } from '../support/session.ts'

describe('Pay Now', () => {
  test('opens the payment window, sends the proof of payment to the API, and removes the paid items from the cart', async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': () => Response.json(ORDER)
    })
    await page.pay(CHECKOUT)
    expect(page.body(0)).toMatchObject({
      amount: 360,
      items: CHECKOUT.items,
      deliveryDate: '2026-11-23'
    })
    expect(page.status()).toBe('open')
    expect(page.cart()).toEqual(['pak', 'halwa'])
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await waitForUpdates()
    expect(page.body(1)).toEqual(PAYMENT_RESPONSE)
    expect(page.$payment.get()).toEqual({ status: 'placed', order: ORDER })
    expect(page.cart()).toEqual(['halwa'])
    expect(page.toastTexts()).toEqual([['Order placed successfully!', undefined]])
    expect(page.url()).toBe('/cart?order=o-1')
  })

  test('uses the same checkout key for a retry, and a new key if the checkout has changed', async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': errorReply(503, { code: 'PAYMENTS_UNAVAILABLE' })
    })
    const keys: unknown[] = []
    for (const checkout of [CHECKOUT, CHECKOUT, { ...CHECKOUT, amount: 350 }, CHECKOUT]) {
      await page.pay(checkout)
      keys.push((page.body(keys.length) as { checkoutKey: string }).checkoutKey)
    }
    expect(keys[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(keys[1]).toBe(keys[0])
    expect(new Set(keys).size).toBe(3)
  })

  test('makes only one call if pressed twice', async () => {
    const page = await openCheckout({ 'POST /payments/razorpay-order': orderReply })
    await Promise.all([page.pay(CHECKOUT), page.pay(CHECKOUT)])
    expect(page.calls).toHaveLength(1)
    expect(page.opened).toHaveLength(1)
  })

  test('places a free order without the provider', async () => {
    const free = { ...STARTED, id: null, amount: 0, order: ORDER }
    const page = await openCheckout({ 'POST /payments/razorpay-order': () => Response.json(free) })
    await page.pay({ ...CHECKOUT, amount: 0 })
    expect(page.status()).toBe('placed')
    expect(page.toastTexts()).toEqual([['Order placed successfully!', undefined]])
    expect(page.opened).toEqual([])
    expect(page.cart()).toEqual(['halwa'])
  })
})

describe('Payment that can’t start', () => {
  test("shows 'Failed to create Razorpay order' with the API’s reason", async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': errorReply(409, {
        code: 'TOO_MANY_RESERVATIONS',
        message: 'You have an unfinished payment.'
      })
    })
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toEqual({
      status: 'idle',
      notice: {
        title: 'Failed to create Razorpay order',
        text: 'You have an unfinished payment.',
        kind: 'failure'
      }
    })
  })

  test('can be tried again after a reply of a captive portal', async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': () => new Response('<html>Wi-Fi login</html>')
    })
    await page.pay(CHECKOUT)
    expect(page.status()).toBe('idle')
  })

  test('shows the new total after a price change', async () => {
    const quoted = { product: 'pak', name: 'pak', image: '', quantity: 2, stock: 'in', most: 99 }
    const quote = {
      lines: [{ ...quoted, listPrice: 190, price: 190, total: 380 }],
      total: 380,
      canOrder: true
    }
    const body = { code: 'PRICE_CHANGED', message: 'Prices or stock have changed.', quote }
    const page = await openCheckout({ 'POST /payments/razorpay-order': errorReply(409, body) })
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toMatchObject({
      notice: { title: 'Prices or stock have changed.', text: 'The total is now ₹380.00.' }
    })
    const { $liveProducts } = await import('#lib/stores/catalog.ts')
    expect($liveProducts.get().get('pak')?.price).toBe(190)
  })

  test('passes field errors to the form', async () => {
    const fields = { 'customerDetails.phone': 'Please enter a valid 10-digit phone number' }
    const page = await openCheckout({
      'POST /payments/razorpay-order': errorReply(400, { code: 'INVALID_INPUT', fields })
    })
    await expect(page.pay(CHECKOUT)).rejects.toMatchObject({ fields })
    expect(page.$payment.get()).toEqual({ status: 'idle' })
  })

  test('is retried with a new key if the API replies CHECKOUT_CHANGED', async () => {
    let calls = 0
    const changed = errorReply(409, { code: 'CHECKOUT_CHANGED', message: 'Once more.' })
    const page = await openCheckout({
      'POST /payments/razorpay-order': () => (calls++ === 0 ? changed() : orderReply())
    })
    await page.pay(CHECKOUT)
    expect(page.status()).toBe('open')
    expect(page.body(0)).not.toEqual(page.body(1))
  })

  test("shows 'Razorpay SDK failed to load. Are you online?' and can be retried", async () => {
    const load = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('blocked'))
    const page = await openCheckout({ 'POST /payments/razorpay-order': orderReply }, load)
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toMatchObject({
      status: 'idle',
      notice: { title: 'Razorpay SDK failed to load. Are you online?' }
    })
    await page.pay(CHECKOUT)
    expect(page.status()).toBe('open')
  })
})
