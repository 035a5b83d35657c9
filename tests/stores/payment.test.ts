import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentState } from '#lib/contract/checkout.ts'
import { errorReply } from '../support/session.ts'
import {
  CHECKING,
  CHECKOUT,
  openCheckout,
  openPaidCheckout,
  ORDER,
  PAYMENT_RESPONSE,
  STARTED,
  syncReply
} from './checkout-page.ts'

const CREATE = 'POST /payments/razorpay-order'
const SYNC = 'POST /payments/o-1/sync'
const CONFIRM = 'POST /orders'
const failWithoutNetwork = () => Promise.reject(new TypeError('fetch failed'))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const wait = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

describe('Pay Now', () => {
  test('opens the payment window, sends the proof of payment to the API, and removes the paid items from the cart', async () => {
    const page = await openCheckout({ [CONFIRM]: () => Response.json(ORDER) })
    sessionStorage.setItem('checkout', '{}')
    localStorage.setItem('coupon', '{"code":"DIWALI"}')
    await page.pay(CHECKOUT)
    expect(page.body(0)).toMatchObject({
      amount: 360,
      items: CHECKOUT.items,
      deliveryDate: '2026-11-23'
    })
    expect([page.status(), page.cart()]).toEqual(['open', ['pak', 'halwa']])
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await wait()
    expect(page.body(1)).toEqual(PAYMENT_RESPONSE)
    expect(page.$payment.get()).toEqual({ status: 'placed', order: ORDER })
    expect(page.cart()).toEqual(['halwa'])
    expect(page.toastTexts()).toEqual([['Order placed successfully!', undefined]])
    expect(page.url()).toBe('/cart?order=o-1')
    expect(['checkout', 'paying'].map(name => sessionStorage.getItem(name))).toEqual([null, null])
    expect(localStorage.getItem('coupon')).toBeNull()
  })

  test('uses the same checkout key for a retry, and a new key if the checkout has changed', async () => {
    const page = await openCheckout({
      [CREATE]: errorReply(503, { code: 'PAYMENTS_UNAVAILABLE' })
    })
    const keys: unknown[] = []
    for (const checkout of [CHECKOUT, CHECKOUT, { ...CHECKOUT, amount: 350 }, CHECKOUT]) {
      await page.pay(checkout)
      keys.push((page.body(keys.length) as { checkoutKey: string }).checkoutKey)
    }
    expect(keys[1]).toBe(keys[0])
    expect(new Set(keys).size).toBe(3)
  })

  test('makes only one call if pressed twice', async () => {
    const page = await openCheckout()
    await Promise.all([page.pay(CHECKOUT), page.pay(CHECKOUT)])
    expect([page.calls.length, page.opened.length]).toEqual([1, 1])
  })

  test('places a free order without the provider', async () => {
    const free = { ...STARTED, id: null, amount: 0, order: ORDER }
    const page = await openCheckout({ [CREATE]: () => Response.json(free) })
    await page.pay({ ...CHECKOUT, amount: 0 })
    expect([page.status(), page.cart(), page.opened]).toEqual(['placed', ['halwa'], []])
  })
})

describe('Payment that can’t start', () => {
  test("shows 'Failed to create Razorpay order' with the API’s reason", async () => {
    const body = { code: 'TOO_MANY_RESERVATIONS', message: 'You have an unfinished payment.' }
    const page = await openCheckout({ [CREATE]: errorReply(409, body) })
    await page.pay(CHECKOUT)
    const notice = { title: 'Failed to create Razorpay order', text: body.message }
    expect(page.$payment.get()).toMatchObject({ status: 'idle', notice })
  })

  test('shows the new total after a price change', async () => {
    const quoted = { product: 'pak', name: 'pak', image: '', quantity: 2, stock: 'in', most: 99 }
    const quote = {
      lines: [{ ...quoted, listPrice: 190, price: 190, total: 380 }],
      total: 380,
      canOrder: true
    }
    const body = { code: 'PRICE_CHANGED', message: 'Prices or stock have changed.', quote }
    const page = await openCheckout({ [CREATE]: errorReply(409, body) })
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toMatchObject({
      notice: { title: 'Prices or stock have changed.', text: 'The total is now ₹380.00.' }
    })
    const { $liveProducts } = await import('#lib/stores/catalog.ts')
    expect($liveProducts.get().get('pak')?.price).toBe(190)
  })

  test('is retried with a new key if the API replies CHECKOUT_CHANGED', async () => {
    const changed = errorReply(409, { code: 'CHECKOUT_CHANGED', message: 'Once more.' })
    const replies = [changed(), Response.json(STARTED)]
    const page = await openCheckout({ [CREATE]: () => replies.shift() ?? changed() })
    await page.pay(CHECKOUT)
    expect(page.status()).toBe('open')
    expect(page.body(0)).not.toEqual(page.body(1))
  })

  test("shows 'Razorpay SDK failed to load. Are you online?' and can be retried", async () => {
    const load = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('blocked'))
    const page = await openCheckout({}, load)
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toMatchObject({
      status: 'idle',
      notice: { title: 'Razorpay SDK failed to load. Are you online?' }
    })
    await page.pay(CHECKOUT)
    expect(page.status()).toBe('open')
  })
})

describe('Closing the payment window', () => {
  test('shows the order if an attempt after a declined one has succeeded', async () => {
    const page = await openCheckout({ [SYNC]: syncReply('paid') })
    await page.pay(CHECKOUT)
    page.decline('Your bank said no.')
    expect(page.$payment.get()).toMatchObject({ declineReason: 'Your bank said no.' })
    page.opened[0]?.modal.ondismiss()
    await wait()
    expect([page.status(), page.cart()]).toEqual(['placed', ['halwa']])
  })
})

describe('Payment that could not be confirmed', () => {
  test('is retried until the order is placed', async () => {
    let isDown = true
    const page = await openPaidCheckout({
      [CONFIRM]: () => (isDown ? failWithoutNetwork() : Response.json(ORDER))
    })
    expect(page.$payment.get()).toMatchObject({
      status: 'unconfirmed',
      reason: expect.stringContaining('connection') as unknown
    })
    await wait(5100)
    expect(page.status()).toBe('unconfirmed')
    isDown = false
    await wait(5100)
    expect([page.status(), page.cart()]).toEqual(['placed', ['halwa']])
  })

  test('is checked at the provider if the proof of payment is invalid', async () => {
    const page = await openPaidCheckout({
      [CONFIRM]: errorReply(400, { code: 'INVALID_PAYMENT', message: 'Not verified.' }),
      [SYNC]: syncReply('refunded')
    })
    await wait(2100)
    expect([page.status(), page.cart()]).toEqual(['refunded', ['pak', 'halwa']])
  })
})

test.for([
  ['paid', { status: 'placed', order: ORDER }],
  ['unpaid', { status: 'idle', notice: { title: 'The payment was not completed.' } }]
] as const)('A pending payment is polled until it is %s', async ([end, payment]) => {
  const replies = [syncReply('checking', CHECKING), syncReply(end)]
  const page = await openPaidCheckout({
    [CONFIRM]: () => Response.json(CHECKING, { status: 202 }),
    [SYNC]: () => replies.shift()?.() ?? Response.error()
  })
  await wait(2100)
  expect(page.status()).toBe('checking')
  await wait(3100)
  expect(page.$payment.get()).toMatchObject(payment)
})

describe('Returning to an order', () => {
  test('shows an order paid in another tab and does not change the cart', async () => {
    const page = await openCheckout({ [SYNC]: syncReply('paid') })
    await page.reopenPayment('o-1')
    expect([page.status(), page.cart()]).toEqual(['placed', ['pak', 'halwa']])
    expect(page.toastTexts()).toEqual([])
  })

  test('from the provider’s page removes the paid items from the cart', async () => {
    const replies = { [SYNC]: syncReply('paid') }
    await (await openCheckout(replies)).pay(CHECKOUT)
    const page = await openCheckout(replies)
    await page.reopenPayment('o-1')
    expect(page.cart()).toEqual(['halwa'])
    expect(page.toastTexts()).toEqual([['Order placed successfully!', undefined]])
    const reloaded = await openCheckout(replies)
    await reloaded.reopenPayment('o-1')
    expect(reloaded.toastTexts()).toEqual([])
  })

  test('stops being polled and asks for a login if the shopper has logged out', async () => {
    const page = await openCheckout({ [SYNC]: syncReply('checking', CHECKING) })
    await page.reopenPayment('o-1')
    expect(page.status()).toBe('checking')
    page.clearSession()
    await page.reopenPayment('o-1', false)
    expect(page.status()).toBe('loginRequired')
    const count = page.calls.length
    await wait(120_000)
    expect(page.calls).toHaveLength(count)
  })

  test('in a reloaded tab shows a paid order and ignores an unpaid order', async () => {
    let state: PaymentState['state'] = 'unpaid'
    const replies = { [SYNC]: () => syncReply(state)() }
    await (await openCheckout(replies)).pay(CHECKOUT)
    const page = await openCheckout(replies)
    await page.resumePayment()
    expect(page.$payment.get()).toEqual({ status: 'idle' })
    state = 'paid'
    await page.resumePayment()
    expect(page.status()).toBe('placed')
  })
})
