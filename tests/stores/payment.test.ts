// @vitest-environment happy-dom
import { cleanStores } from 'nanostores'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WindowOptions } from '#lib/checkout/window-options.ts'
import type { PaymentOrder, PaymentState } from '#lib/contract/orders.ts'
import type { Checkout } from '#lib/stores/payment.ts'
import { line } from '../support/cards.ts'
import { anOrder } from '../support/orders.ts'
import { answers, openPage, PRIYA, refusal } from '../support/session.ts'

const ORDER = anOrder()
const CHECKING = anOrder({ status: 'checking', paymentStatus: 'pending' })
const STARTED: PaymentOrder = {
  ...{ id: 'order_1', amount: 36_000, currency: 'INR', key: 'rzp_test_1', orderId: 'o-1', total: 360, holdUntil: null },
  ...{ theme: { color: '#9B2C1F' }, sandbox: true, script: '/checkout.js' }
}
const PROOF = { razorpay_payment_id: 'pay_1', razorpay_order_id: 'order_1', razorpay_signature: 'sig' }
const CHECKOUT: Checkout = {
  amount: 360,
  items: [{ product: 'pak', quantity: 2 }],
  destination: {
    customerDetails: ORDER.customerDetails,
    shippingAddress: ORDER.shippingAddress,
    deliveryDate: '2026-11-23'
  },
  shopName: 'Palagaram'
}
const order = () => Response.json(STARTED)
const sync =
  (state: PaymentState['state'], about = ORDER) =>
  () =>
    Response.json({ state, order: about })

type Replies = Parameters<typeof answers>[0]

afterEach(() => {
  vi.useRealTimers()
  history.replaceState(null, '', '/')
})

/** The cart page of Priya, with two packs in the cart and a window of the provider that the test presses. */
async function openCheckout(replies: Replies, load: () => Promise<void> = async () => undefined) {
  const send = vi.fn(answers(replies))
  const page = await openPage({ send, token: 't', user: JSON.stringify(PRIYA) })
  localStorage.setItem('cart', JSON.stringify([line('pak', 2), line('halwa')]))
  const { $cart } = await import('#lib/stores/cart.ts')
  const stores = await import('#lib/stores/payment.ts')
  $cart.listen(() => undefined)
  const moved = vi.spyOn(history, 'replaceState')
  onTestFinished(() => cleanStores($cart))
  const opened: WindowOptions[] = []
  let decline = (_reason: string): void => undefined
  stores.configurePayment({
    load,
    open: (options, onDeclined) => {
      opened.push(options)
      decline = onDeclined
    }
  })
  const body = (call: number): unknown => JSON.parse(String(send.mock.calls[call]?.[1].body))
  return {
    ...page,
    ...stores,
    opened,
    body,
    decline: (reason: string) => decline(reason),
    at: () => stores.$payment.get().at,
    address: () => moved.mock.lastCall?.[2],
    cart: () => $cart.get().map(({ _id }) => _id)
  }
}

function settle(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 5))
}

describe('Pay Now', () => {
  test('asks the shop for an order, opens the window, brings the proof to the shop, and takes what was paid out of the cart', async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': order,
      'POST /orders': () => Response.json(ORDER)
    })
    await page.pay(CHECKOUT)
    expect(page.body(0)).toMatchObject({ amount: 360, items: CHECKOUT.items, deliveryDate: '2026-11-23' })
    expect(page.at()).toBe('open')
    expect(page.cart()).toEqual(['pak', 'halwa'])
    page.opened[0]?.handler?.(PROOF)
    await settle()
    expect(page.body(1)).toEqual(PROOF)
    expect(page.$payment.get()).toEqual({ at: 'placed', order: ORDER })
    expect(page.cart()).toEqual(['halwa'])
    expect(page.said()).toEqual([['Order placed successfully!', undefined]])
    expect(page.address()).toBe('/cart?order=o-1')
  })

  test('sends the same key for the same checkout, and another one when anything changes', async () => {
    const page = await openCheckout({ 'POST /payments/razorpay-order': refusal(503, { code: 'PAYMENTS_UNAVAILABLE' }) })
    const keys: unknown[] = []
    for (const checkout of [CHECKOUT, CHECKOUT, { ...CHECKOUT, amount: 350 }, CHECKOUT]) {
      await page.pay(checkout)
      keys.push((page.body(keys.length) as { checkoutKey: string }).checkoutKey)
    }
    expect(keys[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(keys[1]).toBe(keys[0])
    expect(new Set(keys).size).toBe(3)
  })

  test('pressed twice asks once', async () => {
    const page = await openCheckout({ 'POST /payments/razorpay-order': order })
    await Promise.all([page.pay(CHECKOUT), page.pay(CHECKOUT)])
    expect(page.calls).toHaveLength(1)
    expect(page.opened).toHaveLength(1)
  })

  test('for nothing to pay places the order without the provider', async () => {
    const free = { ...STARTED, id: null, amount: 0, order: ORDER }
    const page = await openCheckout({ 'POST /payments/razorpay-order': () => Response.json(free) })
    await page.pay({ ...CHECKOUT, amount: 0 })
    expect(page.at()).toBe('placed')
    expect(page.opened).toEqual([])
    expect(page.cart()).toEqual(['halwa'])
  })
})

describe('what stops a payment before it begins', () => {
  test("the shop: 'Failed to create Razorpay order' with its words", async () => {
    const page = await openCheckout({
      'POST /payments/razorpay-order': refusal(409, {
        code: 'TOO_MANY_HOLDS',
        message: 'You have other payments open.'
      })
    })
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toEqual({
      at: 'idle',
      said: { title: 'Failed to create Razorpay order', text: 'You have other payments open.', kind: 'failure' }
    })
  })

  test('another price: the new total is said and shown in the cart', async () => {
    const quoted = { product: 'pak', name: 'pak', image: '', quantity: 2, stock: 'in', most: 99 }
    const quote = { lines: [{ ...quoted, listPrice: 190, price: 190, total: 380 }], total: 380, canOrder: true }
    const body = { code: 'PRICE_CHANGED', message: 'Prices or stock have changed.', quote }
    const page = await openCheckout({ 'POST /payments/razorpay-order': refusal(409, body) })
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toMatchObject({
      said: { title: 'Prices or stock have changed.', text: 'The total is now ₹380.00.' }
    })
    const { $live } = await import('#lib/stores/live.ts')
    expect($live.get().get('pak')?.price).toBe(190)
  })

  test('a wrong field, which is thrown for the form to show', async () => {
    const fields = { 'customerDetails.phone': 'Please enter a valid 10-digit phone number' }
    const page = await openCheckout({
      'POST /payments/razorpay-order': refusal(400, { code: 'INVALID_INPUT', fields })
    })
    await expect(page.pay(CHECKOUT)).rejects.toMatchObject({ fields })
    expect(page.$payment.get()).toEqual({ at: 'idle' })
  })

  test('another checkout under its key: the key is renewed and the shop asked once more', async () => {
    let turn = 0
    const changed = refusal(409, { code: 'CHECKOUT_CHANGED', message: 'Once more.' })
    const page = await openCheckout({ 'POST /payments/razorpay-order': () => (turn++ === 0 ? changed() : order()) })
    await page.pay(CHECKOUT)
    expect(page.at()).toBe('open')
    expect(page.body(0)).not.toEqual(page.body(1))
  })

  test("the provider's script: 'Razorpay SDK failed to load. Are you online?', and the next press tries again", async () => {
    const load = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('blocked'))
    const page = await openCheckout({ 'POST /payments/razorpay-order': order }, load)
    await page.pay(CHECKOUT)
    expect(page.$payment.get()).toMatchObject({
      at: 'idle',
      said: { title: 'Razorpay SDK failed to load. Are you online?' }
    })
    await page.pay(CHECKOUT)
    expect(page.at()).toBe('open')
  })
})

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
