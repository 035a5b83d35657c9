import { cleanStores } from 'nanostores'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeLine } from '../support/cards.ts'
import { createCartServer, type CartServer } from '../support/cart-server.ts'
import { openPage, PRIYA, writeFromOtherTab } from '../support/session.ts'
import { CHECKOUT, openCheckout, ORDER, syncReply } from './checkout-page.ts'

const USER = JSON.stringify(PRIYA)
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Until the test ends, or the returned function is called. */
function refuse(area: Storage): () => void {
  const prototype = Object.getPrototypeOf(area) as Storage
  const { setItem } = prototype
  const spy = vi.spyOn(prototype, 'setItem').mockImplementation(function (this: Storage, ...args) {
    if (this === area) throw new DOMException('No', 'QuotaExceededError')
    setItem.apply(this, args)
  })
  return () => spy.mockRestore()
}

/** A page of Priya, or of a guest. `stored` has the texts of localStorage. */
async function openCart(server?: CartServer, stored: Record<string, string> = {}) {
  for (const [name, text] of Object.entries(stored)) localStorage.setItem(name, text)
  const send = server?.send ?? (() => Promise.reject(new TypeError('fetch failed')))
  const page = await openPage({ send, ...(server && { token: 't', user: USER }) })
  const { $cart, ...cart } = await import('#lib/stores/cart.ts')
  $cart.listen(() => undefined)
  const stop = await page.startCartSync()
  onTestFinished(() => {
    stop()
    cleanStores($cart)
  })
  await vi.advanceTimersByTimeAsync(500)
  return { ...page, ...cart, count: () => cart.countPacks($cart.get()) }
}

const createServer = (quantity: number) =>
  createCartServer([{ product: 'pak', quantity }], { 'GET /auth/me': () => Response.json(PRIYA) })

test('A cart that is not stored follows another tab, and can be emptied', async () => {
  const page = await openCart(undefined, { cart: JSON.stringify([makeLine('pak')]) })
  refuse(localStorage)
  page.addToCart(makeLine('pak'))
  expect(page.count()).toBe(2)
  writeFromOtherTab('cart', null)
  expect(page.count()).toBe(0)
  page.addToCart(makeLine('pak'))
  page.clearCart()
  expect(page.count()).toBe(0)
})

type CartPage = Awaited<ReturnType<typeof openCart>>

async function addToFullStorage({ addToCart }: CartPage) {
  const allow = refuse(localStorage)
  addToCart(makeLine('pak'))
  await vi.advanceTimersByTimeAsync(500)
  allow()
}

test.for([
  ['is full', 3, addToFullStorage],
  ['has a damaged cart', 2, async () => localStorage.setItem('cart', '{"')]
] as const)(
  'A storage that %s does not reduce the cart of the account',
  async ([, count, harm]) => {
    const server = createServer(2)
    await harm(await openCart(server))
    const next = await openCart(server)
    expect([next.count(), server.cart().lines[0]?.quantity]).toEqual([count, count])
  }
)

test('A payment has one key, and is found after a reload, where the session storage is full', async () => {
  const reply = vi.fn(() => Response.json({ code: 'PAYMENTS_UNAVAILABLE' }, { status: 503 }))
  const page = await openCheckout({ 'POST /payments/razorpay-order': reply })
  refuse(sessionStorage)
  await page.pay(CHECKOUT)
  await page.pay(CHECKOUT)
  expect(page.body(1)).toEqual(page.body(0))
  const replies = { 'POST /payments/o-1/sync': syncReply('paid') }
  await (await openCheckout(replies)).pay(CHECKOUT)
  const reloaded = await openCheckout(replies)
  await reloaded.resumePayment()
  expect(reloaded.$payment.get()).toEqual({ status: 'placed', order: ORDER })
  expect(reloaded.cart()).toEqual(['halwa'])
  const later = await openCheckout(replies)
  await later.reopenPayment('o-1')
  expect(later.cart()).toEqual(['pak', 'halwa'])
})

test.for(
  Object.entries({
    'half an object': '{"',
    null: 'null',
    'a number': '7',
    'a list of anything': '[null,7,"x",[],{}]',
    'half a synced cart': '{"lines":[null],"session":"t","version":1}',
    'half a payment': '{"orderId":"o-1","items":[null],"title":7,"id":7}',
    '5,000 lines': JSON.stringify(Array(5000).fill(makeLine('pak'))),
    'a long text': 'x'.repeat(5000)
  })
)('Damaged values break no page: %s', async ([, damaged]) => {
  const names = ['cart', 'cart-agreed', 'coupon', 'pincode', 'pickup', 'device', 'kitchen-ticks']
  const stored = [...names, 'user', `discounts:${PRIYA._id}`].map(name => [name, damaged] as const)
  const drafts = ['paying', 'checkout-key', 'account', 'notice', 'login', 'sent-code', 'setup']
  for (const name of drafts) sessionStorage.setItem(name, damaged)
  const server = createServer(1)
  const page = await openCart(server, Object.fromEntries(stored))
  const { $coupon } = await import('#lib/stores/coupon.ts')
  const { $pincode, $wantsPickup } = await import('#lib/stores/delivery.ts')
  const { $discounts, restoreDiscounts } = await import('#lib/stores/deals.ts')
  const { $failedTicks, sendTicks } = await import('#lib/stores/admin/kitchen-day.ts')
  const { resumePayment } = await import('#lib/stores/payment.ts')
  page.restoreLoginCode()
  await Promise.all([restoreDiscounts(), resumePayment(), sendTicks()])
  expect([$coupon.get(), $pincode.get(), $wantsPickup.get()]).toEqual([undefined, '', false])
  expect([$discounts.get().size, $failedTicks.get()]).toEqual([0, []])
  expect(page.deviceHeaders()).toEqual({})
  expect(page.state()).toMatchObject({ state: 'authenticated', user: { name: PRIYA.name } })
  expect([page.count(), server.cart().lines]).toEqual([1, [{ product: 'pak', quantity: 1 }]])
})
