import { cleanStores } from 'nanostores'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CartEntry } from '#lib/contract/checkout.ts'
import { makeLine } from '../support/cards.ts'
import { createCartServer, type CartServer } from '../support/cart-server.ts'
import { openPage, writeFromOtherTab, PRIYA } from '../support/session.ts'

const USER = JSON.stringify(PRIYA)
const createServer = (...lines: CartEntry[]) =>
  createCartServer(lines, {
    'GET /auth/me': () => Response.json(PRIYA),
    'POST /auth/logout': () => Response.json({ message: 'Bye' })
  })
const SESSION = { token: 'priyas-token', user: PRIYA }
const pak = (quantity: number) => ({ product: 'pak', quantity })
const halwa = (quantity: number) => ({ product: 'halwa', quantity })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Opens a page and starts cart sync. The user is Priya, or a visitor if `token` is null. */
async function openSyncedPage(
  server: CartServer,
  stored: readonly unknown[] = [],
  token: string | null = SESSION.token
) {
  const page = await openPage({ send: server.send, ...(token !== null && { token, user: USER }) })
  if (stored.length > 0) localStorage.setItem('cart', JSON.stringify(stored))
  const cart = await import('#lib/stores/cart.ts')
  const sync = await import('#lib/stores/cart-sync.ts')
  cart.$cart.listen(() => undefined)
  const stop = await sync.startCartSync()
  onTestFinished(() => {
    stop()
    cleanStores(cart.$cart)
  })
  await wait()
  return {
    ...page,
    ...cart,
    ...sync,
    counts: () =>
      Object.fromEntries(cart.$cart.get().map(({ _id, quantity }) => [_id, quantity.value]))
  }
}

async function wait(ms = 20) {
  await vi.advanceTimersByTimeAsync(ms)
}

const DEBOUNCE_MS = 460

describe('Stored cart', () => {
  test('has the fields of the specification and is kept on the next page', async () => {
    const server = createServer()
    const page = await openSyncedPage(server, [], null)
    page.addToCart(makeLine('pak'))
    expect(JSON.parse(localStorage.getItem('cart') ?? '')).toMatchObject([
      { _id: 'pak', name: 'pak', price: 100, quantity: { value: 1, unit: 'g', type: 'weight' } }
    ])
    const next = await openSyncedPage(server, [], null)
    expect(next.counts()).toEqual({ pak: 1 })
    await next.clearCartEverywhere()
    expect(server.calls).toEqual([])
  })

  test('follows another tab, whatever that has stored', async () => {
    const page = await openSyncedPage(createServer(), [makeLine('pak')], null)
    writeFromOtherTab('cart', JSON.stringify([makeLine('pak', 2), makeLine('thattai', 3)]))
    expect(page.counts()).toEqual({ pak: 2, thattai: 3 })
    writeFromOtherTab('cart', '[{"productId":7}]')
    page.addToCart(makeLine('pak'))
    expect(page.counts()).toEqual({ pak: 1 })
  })

  test('keeps its valid lines and reports the removed lines only once', async () => {
    const stored = [makeLine('pak', 2), { id: 7 }, makeLine('pak', 9)]
    const page = await openSyncedPage(createServer(), stored, null)
    expect(page.counts()).toEqual({ pak: 2 })
    expect(page.toastTexts().map(([title]) => title)).toEqual(['Some items could not be restored'])
    const next = await openSyncedPage(createServer(), [], null)
    expect(next.counts()).toEqual({ pak: 2 })
    expect(next.toastTexts()).toEqual([])
  })
})

describe('Cart sync of a logged-in shopper', () => {
  test('loads names, prices and discounts, without what is no longer sold', async () => {
    const server = createServer(halwa(2), pak(1), { ...pak(1), dealId: 'diwali' })
    server.setQuote('pak', { problem: 'gone', name: '', price: 0 })
    const page = await openSyncedPage(server)
    expect(page.$cart.get()).toMatchObject([
      { _id: 'halwa', name: 'halwa', price: 100, quantity: { value: 2, unit: 'g' } }
    ])
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([halwa(2)])
    server.setQuote('pak', { discount: 15, price: 85, listPrice: 100, problem: undefined })
    server.changeOnOtherDevice([{ ...pak(1), dealId: 'diwali' }])
    await page.syncCart()
    expect(page.$cart.get()).toMatchObject([
      { _id: 'pak', price: 85, discount: 15, dealId: 'diwali' }
    ])
  })

  test('saves several changes in one call', async () => {
    const server = createServer()
    const page = await openSyncedPage(server)
    page.addToCart(makeLine('pak'))
    page.addToCart(makeLine('pak'))
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([pak(2)])
    expect(server.calls.filter(call => call === 'PUT /cart')).toHaveLength(1)
  })

  test('loads changes of another device when the tab becomes visible', async () => {
    const server = createServer(pak(1))
    const page = await openSyncedPage(server)
    server.changeOnOtherDevice([pak(1), halwa(3)])
    document.dispatchEvent(new Event('visibilitychange'))
    await wait()
    expect(page.counts()).toEqual({ pak: 1, halwa: 3 })
  })

  test('keeps the changes of both devices if they happen at the same time', async () => {
    const server = createServer(pak(1))
    const page = await openSyncedPage(server)
    server.beforeNext('PUT /cart', () => server.changeOnOtherDevice([pak(1), halwa(1)]))
    page.addToCart(makeLine('pak'))
    await wait(DEBOUNCE_MS)
    expect(page.counts()).toEqual({ pak: 2, halwa: 1 })
    expect(server.cart().lines).toEqual([pak(2), halwa(1)])
  })

  test('keeps changes made while the account cart is being loaded', async () => {
    const server = createServer(pak(1), halwa(1))
    const page = await openSyncedPage(server)
    server.beforeNext('GET /cart', () => page.removeFromCart(makeLine('halwa')))
    await page.syncCart()
    expect(page.counts()).toEqual({ pak: 1 })
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([pak(1)])
  })

  test('keeps what another tab saves while an older reply is on its way', async () => {
    const server = createServer()
    const page = await openSyncedPage(server)
    const synced = { session: SESSION.token, version: 1, lines: [pak(1)], at: Date.now() }
    server.beforeNext('GET /cart', () => {
      writeFromOtherTab('cart', JSON.stringify([makeLine('pak')]))
      writeFromOtherTab('cart-agreed', JSON.stringify(synced))
    })
    server.beforeNext('PUT /cart', () => server.changeOnOtherDevice([pak(1)]))
    await page.syncCart()
    expect([page.counts(), server.cart().lines]).toEqual([{ pak: 1 }, [pak(1)]])
  })

  test('keeps changes made offline and saves them on the next page', async () => {
    const server = createServer(pak(1))
    const page = await openSyncedPage(server)
    server.isDown = true
    page.updateQuantity(makeLine('pak'), 4)
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([pak(1)])
    server.isDown = false
    await openSyncedPage(server)
    expect(server.cart().lines).toEqual([pak(4)])
  })
})

describe('Cart sync at login', () => {
  test('merges both carts with the larger quantity of each line', async () => {
    const server = createServer(pak(1), halwa(2))
    const page = await openSyncedPage(server, [makeLine('pak', 3)], null)
    expect(server.calls).toEqual([])
    page.setSession(SESSION)
    await wait()
    expect(page.counts()).toEqual({ pak: 3, halwa: 2 })
    expect(server.cart().lines).toEqual([pak(3), halwa(2)])
  })

  test('restores the account cart after logout and login', async () => {
    const server = createServer()
    const page = await openSyncedPage(server, [makeLine('pak', 2)])
    await page.logOut()
    await wait(DEBOUNCE_MS)
    expect(page.counts()).toEqual({})
    expect(localStorage.getItem('cart-agreed')).toBeNull()
    expect(server.cart().lines).toEqual([pak(2)])
    page.setSession(SESSION)
    await wait()
    expect(page.counts()).toEqual({ pak: 2 })
  })
})

describe('Cart sync that a logout overtakes', () => {
  test('leaves the cart of the browser empty', async () => {
    const server = createServer(pak(1))
    const page = await openSyncedPage(server)
    server.changeOnOtherDevice([pak(1), halwa(1)])
    server.beforeNext('POST /cart/quote', () => void page.logOut())
    await page.syncCart()
    expect(page.counts()).toEqual({})
  })

  test('does not save the cart in the next account', async () => {
    const server = createServer(halwa(1))
    const page = await openSyncedPage(server)
    server.calls.length = 0
    server.beforeNext('GET /cart', () => {
      page.addToCart(makeLine('pak'))
      page.clearSession()
    })
    await page.syncCart()
    expect(server.calls).toEqual(['GET /cart'])
  })
})

describe('Clearing the synced cart', () => {
  test('clears the account cart before the browser cart if the shopper is logged in', async () => {
    const server = createServer(pak(2))
    const page = await openSyncedPage(server)
    const countsBefore: unknown[] = []
    server.beforeNext('DELETE /cart', () => countsBefore.push(page.counts()))
    await page.clearCartEverywhere()
    expect(countsBefore).toEqual([{ pak: 2 }])
    expect(page.counts()).toEqual({})
    expect(localStorage.getItem('cart')).toBeNull()
    expect(server.cart().lines).toEqual([])
    expect(page.toastTexts()).toEqual([
      ['Cart cleared', 'All items have been removed from your cart.']
    ])
  })

  test("clears the browser cart and logs 'Failed to clear cart on backend' if the call fails", async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = createServer(pak(2))
    const page = await openSyncedPage(server)
    server.isDown = true
    await page.clearCartEverywhere()
    expect(warn).toHaveBeenCalledWith('Failed to clear cart on backend', expect.anything())
    expect(page.counts()).toEqual({})
    server.isDown = false
    await page.syncCart()
    expect(server.cart().lines).toEqual([])
    expect(page.counts()).toEqual({})
  })
})
