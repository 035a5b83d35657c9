import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PaymentState } from '#lib/contract/checkout.ts'
import { errorReply } from '../support/session.ts'
import {
  CHECKING,
  CHECKOUT,
  openCheckout,
  orderReply,
  ORDER,
  PAYMENT_RESPONSE,
  waitForUpdates,
  syncReply
} from './checkout-page.ts'

afterEach(() => void vi.useRealTimers())

describe('Closing the payment window', () => {
  test("checks the payment, then shows 'Payment was cancelled.' and keeps the cart", async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /payments/o-1/sync': syncReply('unpaid')
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.modal.ondismiss()
    expect(page.status()).toBe('syncing')
    await waitForUpdates()
    expect(page.$payment.get()).toMatchObject({
      status: 'idle',
      notice: { title: 'Payment was cancelled.' }
    })
    expect(page.cart()).toEqual(['pak', 'halwa'])
  })

  test('shows the reason of a declined attempt', async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /payments/o-1/sync': syncReply('unpaid')
    })
    await page.pay(CHECKOUT)
    page.decline('Your bank said no.')
    expect(page.$payment.get()).toMatchObject({
      status: 'open',
      declineReason: 'Your bank said no.'
    })
    page.opened[0]?.modal.ondismiss()
    await waitForUpdates()
    expect(page.$payment.get()).toMatchObject({
      notice: { text: expect.stringContaining('Your bank said no.') as unknown }
    })
  })

  test('shows the order if the payment has succeeded', async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /payments/o-1/sync': syncReply('paid')
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.modal.ondismiss()
    await waitForUpdates()
    expect(page.status()).toBe('placed')
    expect(page.cart()).toEqual(['halwa'])
  })
})

describe('Payment that could not be confirmed', () => {
  test('is retried until the order is placed', async () => {
    vi.useFakeTimers()
    let isDown = true
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': () =>
        isDown ? Promise.reject(new TypeError('fetch failed')) : Response.json(ORDER)
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await vi.advanceTimersByTimeAsync(0)
    expect(page.$payment.get()).toMatchObject({
      status: 'unconfirmed',
      reason: expect.stringContaining('connection') as unknown
    })
    await vi.advanceTimersByTimeAsync(5100)
    expect(page.status()).toBe('unconfirmed')
    isDown = false
    await vi.advanceTimersByTimeAsync(5100)
    expect(page.status()).toBe('placed')
    expect(page.cart()).toEqual(['halwa'])
    const calls = page.calls.length
    await vi.advanceTimersByTimeAsync(120_000)
    expect(page.calls).toHaveLength(calls)
  })

  test('is retried at once when the network is back', async () => {
    let isDown = true
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': () =>
        isDown ? Promise.reject(new TypeError('fetch failed')) : Response.json(ORDER)
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await waitForUpdates()
    isDown = false
    dispatchEvent(new Event('online'))
    await waitForUpdates()
    expect(page.status()).toBe('placed')
  })

  test.for([
    ['an error without a message', errorReply(400)],
    ['an internal error without a message', errorReply(500)],
    ["a proxy's error page", () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })],
    ["a captive portal's page", () => new Response('<h1>Welcome to the station</h1>')]
  ] as const)("shows 'Please contact support.' for %s", async ([, reply]) => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': reply
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await waitForUpdates()
    expect(page.$payment.get()).toMatchObject({
      status: 'unconfirmed',
      reason: 'Please contact support.'
    })
  })

  test('shows the message of the reply', async () => {
    const reply = errorReply(500, { message: 'The order book is closed' })
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': reply
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await waitForUpdates()
    expect(page.$payment.get()).toMatchObject({
      status: 'unconfirmed',
      reason: 'The order book is closed'
    })
  })

  test('is checked at the provider if the proof of payment is invalid', async () => {
    vi.useFakeTimers()
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': errorReply(400, { code: 'INVALID_PAYMENT', message: 'Not verified.' }),
      'POST /payments/o-1/sync': syncReply('refunded')
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await vi.advanceTimersByTimeAsync(2100)
    expect(page.status()).toBe('refunded')
    expect(page.cart()).toEqual(['pak', 'halwa'])
  })

  test('shows the refund if the payment can no longer become an order', async () => {
    const body = { code: 'PAYMENT_REFUNDED', message: 'Your payment will be refunded.' }
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': errorReply(409, body)
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await waitForUpdates()
    expect(page.$payment.get()).toEqual({
      status: 'refunded',
      reason: 'Your payment will be refunded.'
    })
  })
})

describe('Pending payment', () => {
  test('is polled until it is paid', async () => {
    vi.useFakeTimers()
    let state: PaymentState['state'] = 'checking'
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /orders': () => Response.json(CHECKING, { status: 202 }),
      'POST /payments/o-1/sync': () => syncReply(state, state === 'paid' ? ORDER : CHECKING)()
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PAYMENT_RESPONSE)
    await vi.advanceTimersByTimeAsync(2100)
    expect(page.status()).toBe('checking')
    state = 'paid'
    await vi.advanceTimersByTimeAsync(3100)
    expect(page.status()).toBe('placed')
  })
})

describe('Returning to an order', () => {
  test('shows an order paid in another tab and does not change the cart', async () => {
    const page = await openCheckout({ 'POST /payments/o-1/sync': syncReply('paid') })
    await page.reopenPayment('o-1')
    expect(page.status()).toBe('placed')
    expect(page.cart()).toEqual(['pak', 'halwa'])
    expect(page.toastTexts()).toEqual([])
  })

  test('from the provider’s page removes the paid items from the cart', async () => {
    const replies = {
      'POST /payments/razorpay-order': orderReply,
      'POST /payments/o-1/sync': syncReply('paid')
    }
    await (await openCheckout(replies)).pay(CHECKOUT)
    const page = await openCheckout(replies)
    await page.reopenPayment('o-1')
    expect(page.cart()).toEqual(['halwa'])
    expect(page.toastTexts()).toEqual([['Order placed successfully!', undefined]])
    const reloaded = await openCheckout(replies)
    await reloaded.reopenPayment('o-1')
    expect(reloaded.toastTexts()).toEqual([])
  })

  test('keeps the record of the next payment if the last one turns out to have expired', async () => {
    let answer = (): void => undefined
    const waiting = new Promise<void>(resolve => (answer = resolve))
    const page = await openCheckout({
      'POST /payments/razorpay-order': orderReply,
      'POST /payments/old/sync': () =>
        waiting.then(syncReply('unpaid', { ...ORDER, _id: 'old', status: 'expired' }))
    })
    sessionStorage.setItem('paying', JSON.stringify({ orderId: 'old', items: [] }))
    const resumed = page.resumePayment()
    await page.pay(CHECKOUT)
    answer()
    await resumed
    expect(sessionStorage.getItem('paying')).toContain('o-1')
  })

  test('is forgotten by the tab if its checkout was deleted', async () => {
    const page = await openCheckout({
      'POST /payments/old/sync': errorReply(404, {
        code: 'ORDER_NOT_FOUND',
        message: 'Order not found'
      })
    })
    sessionStorage.setItem('paying', JSON.stringify({ orderId: 'old', items: [] }))
    await page.resumePayment()
    expect(sessionStorage.getItem('paying')).toBeNull()
    expect(page.status()).toBe('idle')
  })

  test('stops being polled and asks for a login if the shopper has logged out', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const page = await openCheckout({ 'POST /payments/o-1/sync': syncReply('checking', CHECKING) })
    await page.reopenPayment('o-1')
    expect(page.status()).toBe('checking')
    page.clearSession()
    await page.reopenPayment('o-1', false)
    expect(page.status()).toBe('loginRequired')
    const count = page.calls.length
    await vi.advanceTimersByTimeAsync(120_000)
    expect(page.calls).toHaveLength(count)
  })

  test('in a reloaded tab shows a paid order and ignores an unpaid order', async () => {
    let state: PaymentState['state'] = 'unpaid'
    const replies = {
      'POST /payments/razorpay-order': orderReply,
      'POST /payments/o-1/sync': () => syncReply(state)()
    }
    await (await openCheckout(replies)).pay(CHECKOUT)
    const page = await openCheckout(replies)
    await page.resumePayment()
    expect(page.$payment.get()).toEqual({ status: 'idle' })
    state = 'paid'
    await page.resumePayment()
    expect(page.status()).toBe('placed')
  })

  test('makes no call if no payment was started', async () => {
    const page = await openCheckout({})
    await page.resumePayment()
    expect(page.calls).toEqual([])
  })
})
