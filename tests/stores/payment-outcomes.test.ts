// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PaymentState } from '#lib/contract/orders.ts'
import { refusal } from '../support/session.ts'
import { CHECKING, CHECKOUT, openCheckout, order, ORDER, PROOF, settle, sync } from './checkout-page.ts'

afterEach(() => void vi.useRealTimers())

describe('closing the window', () => {
  test("asks the shop first, then says 'Payment was cancelled.', and keeps the cart", async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': order,
      'POST /payments/o-1/sync': sync('unpaid')
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.modal.ondismiss()
    expect(page.at()).toBe('asking')
    await settle()
    expect(page.$payment.get()).toMatchObject({ at: 'idle', said: { title: 'Payment was cancelled.' } })
    expect(page.cart()).toEqual(['pak', 'halwa'])
  })

  test('after an attempt that failed says why', async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': order,
      'POST /payments/o-1/sync': sync('unpaid')
    })
    await page.pay(CHECKOUT)
    page.decline('Your bank said no.')
    expect(page.$payment.get()).toMatchObject({ at: 'open', refusal: 'Your bank said no.' })
    page.opened[0]?.modal.ondismiss()
    await settle()
    expect(page.$payment.get()).toMatchObject({
      said: { text: expect.stringContaining('Your bank said no.') as unknown }
    })
  })

  test('finds the order that was paid all the same', async () => {
    const page = await openCheckout({ 'POST /payments/razorpay-order': order, 'POST /payments/o-1/sync': sync('paid') })
    await page.pay(CHECKOUT)
    page.opened[0]?.modal.ondismiss()
    await settle()
    expect(page.at()).toBe('placed')
    expect(page.cart()).toEqual(['halwa'])
  })
})

describe('a payment of which the shop does not hear', () => {
  test('is brought to it again until it is placed', async () => {
    vi.useFakeTimers()
    let down = true
    const page = await openCheckout({
      'POST /payments/razorpay-order': order,
      'POST /orders': () => (down ? Promise.reject(new TypeError('fetch failed')) : Response.json(ORDER))
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PROOF)
    await vi.advanceTimersByTimeAsync(0)
    expect(page.$payment.get()).toMatchObject({
      at: 'unfinalised',
      reason: expect.stringContaining('connection') as unknown
    })
    await vi.advanceTimersByTimeAsync(5100)
    expect(page.at()).toBe('unfinalised')
    down = false
    await vi.advanceTimersByTimeAsync(5100)
    expect(page.at()).toBe('placed')
    expect(page.cart()).toEqual(['halwa'])
    const calls = page.calls.length
    await vi.advanceTimersByTimeAsync(120_000)
    expect(page.calls).toHaveLength(calls)
  })

  test('is brought to it at once when the network is back', async () => {
    let down = true
    const page = await openCheckout({
      'POST /payments/razorpay-order': order,
      'POST /orders': () => (down ? Promise.reject(new TypeError('fetch failed')) : Response.json(ORDER))
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PROOF)
    await settle()
    down = false
    dispatchEvent(new Event('online'))
    await settle()
    expect(page.at()).toBe('placed')
  })

  test("without words of the shop says 'Please contact support.'", async () => {
    const page = await openCheckout({ 'POST /payments/razorpay-order': order, 'POST /orders': refusal(400) })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PROOF)
    await settle()
    expect(page.$payment.get()).toMatchObject({ at: 'unfinalised', reason: 'Please contact support.' })
  })

  test('with a proof that is none asks the provider instead', async () => {
    vi.useFakeTimers()
    const page = await openCheckout({
      'POST /payments/razorpay-order': order,
      'POST /orders': refusal(400, { code: 'INVALID_PAYMENT', message: 'Not verified.' }),
      'POST /payments/o-1/sync': sync('refunded')
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PROOF)
    await vi.advanceTimersByTimeAsync(2100)
    expect(page.at()).toBe('refunded')
    expect(page.cart()).toEqual(['pak', 'halwa'])
  })

  test('that can’t be an order any more says that the money comes back', async () => {
    const body = { code: 'PAYMENT_REFUNDED', message: 'Your payment is on its way back.' }
    const page = await openCheckout({ 'POST /payments/razorpay-order': order, 'POST /orders': refusal(409, body) })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PROOF)
    await settle()
    expect(page.$payment.get()).toEqual({ at: 'refunded', reason: 'Your payment is on its way back.' })
  })
})

describe('a payment that the bank has not confirmed', () => {
  test('is asked for again until it is', async () => {
    vi.useFakeTimers()
    let state: PaymentState['state'] = 'checking'
    const page = await openCheckout({
      'POST /payments/razorpay-order': order,
      'POST /orders': () => Response.json(CHECKING, { status: 202 }),
      'POST /payments/o-1/sync': () => sync(state, state === 'paid' ? ORDER : CHECKING)()
    })
    await page.pay(CHECKOUT)
    page.opened[0]?.handler?.(PROOF)
    await vi.advanceTimersByTimeAsync(2100)
    expect(page.at()).toBe('checking')
    state = 'paid'
    await vi.advanceTimersByTimeAsync(3100)
    expect(page.at()).toBe('placed')
  })
})

describe('coming back to an order', () => {
  test('shows it, and leaves a cart alone that was not paid here', async () => {
    const page = await openCheckout({ 'POST /payments/o-1/sync': sync('paid') })
    await page.returnTo('o-1')
    expect(page.at()).toBe('placed')
    expect(page.cart()).toEqual(['pak', 'halwa'])
    expect(page.said()).toEqual([])
  })

  test('from the provider’s own page in this tab empties the cart of it', async () => {
    const replies = { 'POST /payments/razorpay-order': order, 'POST /payments/o-1/sync': sync('paid') }
    await (await openCheckout(replies)).pay(CHECKOUT)
    const page = await openCheckout(replies)
    await page.returnTo('o-1')
    expect(page.cart()).toEqual(['halwa'])
  })

  test('to a tab that the phone had dropped finds what was paid meanwhile, and says nothing of what was not', async () => {
    let state: PaymentState['state'] = 'unpaid'
    const replies = { 'POST /payments/razorpay-order': order, 'POST /payments/o-1/sync': () => sync(state)() }
    await (await openCheckout(replies)).pay(CHECKOUT)
    const page = await openCheckout(replies)
    await page.resumePaying()
    expect(page.$payment.get()).toEqual({ at: 'idle' })
    state = 'paid'
    await page.resumePaying()
    expect(page.at()).toBe('placed')
  })

  test('asks nothing where nothing was being paid', async () => {
    const page = await openCheckout({})
    await page.resumePaying()
    expect(page.calls).toEqual([])
  })
})
