import { cleanStores } from 'nanostores'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CartEntry } from '#lib/contract/checkout.ts'
import { makeLine } from '../support/cards.ts'
import { createCartServer, type CartServer } from '../support/cart-server.ts'
import { openPage, writeFromOtherTab, PRIYA } from '../support/session.ts'

const USER = JSON.stringify(PRIYA)
const ME = { 'GET /auth/me': () => Response.json(PRIYA) }
const SESSION = { token: 'priyas-token', user: PRIYA }
const pak = (quantity: number): CartEntry => ({ product: 'pak', quantity })
const halwa = (quantity: number): CartEntry => ({ product: 'halwa', quantity })

afterEach(() => vi.useRealTimers())

/** Opens a page and starts cart sync. The user is Priya, or a visitor if `token` is null. */
async function openSyncedPage(
  server: CartServer,
  stored: ReturnType<typeof makeLine>[] = [],
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

function wait(ms = 20): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

const DEBOUNCE_MS = 460

describe('Cart sync of a logged-in shopper', () => {
  test('loads the account cart with names and prices', async () => {
    const server = createCartServer([halwa(2)], ME)
    const page = await openSyncedPage(server)
    expect(page.$cart.get()).toMatchObject([
      { _id: 'halwa', name: 'halwa', price: 100, quantity: { value: 2, unit: 'g' } }
    ])
  })

  test('saves several changes in one call', async () => {
    const server = createCartServer([], ME)
    const page = await openSyncedPage(server)
    page.addToCart(makeLine('pak'))
    page.addToCart(makeLine('pak'))
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([pak(2)])
    expect(server.calls.filter(call => call === 'PUT /cart')).toHaveLength(1)
  })

  test('loads changes of another device when the tab becomes visible', async () => {
    const server = createCartServer([pak(1)], ME)
    const page = await openSyncedPage(server)
    server.changeOnOtherDevice([pak(1), halwa(3)])
    document.dispatchEvent(new Event('visibilitychange'))
    await wait()
    expect(page.counts()).toEqual({ pak: 1, halwa: 3 })
    server.changeOnOtherDevice([halwa(3)])
    document.dispatchEvent(new Event('visibilitychange'))
    await wait()
    expect(page.counts()).toEqual({ halwa: 3 })
  })

  test('keeps the changes of both devices if they happen at the same time', async () => {
    const server = createCartServer([pak(1)], ME)
    const page = await openSyncedPage(server)
    server.beforeNext('PUT /cart', () => server.changeOnOtherDevice([pak(1), halwa(1)]))
    page.addToCart(makeLine('pak'))
    await wait(DEBOUNCE_MS)
    expect(page.counts()).toEqual({ pak: 2, halwa: 1 })
    expect(server.cart().lines).toEqual([pak(2), halwa(1)])
  })

  test('keeps changes made while the account cart is being loaded', async () => {
    const server = createCartServer([pak(1), halwa(1)], ME)
    const page = await openSyncedPage(server)
    server.beforeNext('GET /cart', () => page.removeFromCart(makeLine('halwa')))
    await page.syncCart()
    expect(page.counts()).toEqual({ pak: 1 })
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([pak(1)])
  })

  test('keeps changes made offline and saves them on the next page', async () => {
    const server = createCartServer([pak(1)], ME)
    const page = await openSyncedPage(server)
    server.isDown = true
    page.updateQuantity(makeLine('pak'), 4)
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([pak(1)])
    server.isDown = false
    await openSyncedPage(server)
    expect(server.cart().lines).toEqual([pak(4)])
  })

  test('does not load the account cart again if the next page is opened within half a minute', async () => {
    const server = createCartServer([pak(1)], ME)
    await openSyncedPage(server)
    server.calls.length = 0
    await openSyncedPage(server)
    expect(server.calls).toEqual(['GET /auth/me'])
  })

  test('loads a discounted pack with its discount', async () => {
    const server = createCartServer([{ product: 'pak', quantity: 1, dealId: 'diwali' }], ME)
    server.setQuote('pak', { discount: 15, price: 85, listPrice: 100 })
    const page = await openSyncedPage(server)
    expect(page.$cart.get()).toMatchObject([
      { _id: 'pak', price: 85, discount: 15, dealId: 'diwali' }
    ])
  })

  test('removes products that are no longer sold', async () => {
    const server = createCartServer([pak(1), halwa(1)], ME)
    server.setQuote('halwa', { problem: 'gone', name: '', price: 0 })
    const page = await openSyncedPage(server)
    expect(page.counts()).toEqual({ pak: 1 })
    await wait(DEBOUNCE_MS)
    expect(server.cart().lines).toEqual([pak(1)])
  })

  test.for(['{"session":', '7', '{"session":7}'])(
    'ignores a damaged sync state: %s',
    async storedState => {
      const server = createCartServer([pak(1)], ME)
      await openSyncedPage(server)
      localStorage.setItem('cart-agreed', storedState)
      const page = await openSyncedPage(server)
      expect(page.counts()).toEqual({ pak: 1 })
    }
  )
})

describe('Cart sync at login', () => {
  test('merges both carts with the larger quantity of each line', async () => {
    const server = createCartServer([pak(1), halwa(2)], ME)
    const page = await openSyncedPage(server, [makeLine('pak', 3)], null)
    expect(server.calls).toEqual([])
    page.setSession(SESSION)
    await wait()
    expect(page.counts()).toEqual({ pak: 3, halwa: 2 })
    expect(server.cart().lines).toEqual([pak(3), halwa(2)])
  })

  test('merges the carts after a login in another tab', async () => {
    const server = createCartServer([halwa(2)], ME)
    const page = await openSyncedPage(server, [makeLine('pak')], null)
    writeFromOtherTab('user', USER)
    writeFromOtherTab('token', SESSION.token)
    await wait()
    expect(page.counts()).toEqual({ pak: 1, halwa: 2 })
  })

  test('restores the account cart after logout and login', async () => {
    const server = createCartServer([], {
      ...ME,
      'POST /auth/logout': () => Response.json({ message: 'Bye' })
    })
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
    const server = createCartServer([pak(1)], {
      ...ME,
      'POST /auth/logout': () => Response.json({ message: 'Bye' })
    })
    const page = await openSyncedPage(server)
    server.changeOnOtherDevice([pak(1), halwa(1)])
    server.beforeNext('POST /cart/quote', () => void page.logOut())
    await page.syncCart()
    expect(page.counts()).toEqual({})
  })

  test('does not save the cart in the next account', async () => {
    const server = createCartServer([halwa(1)], {
      ...ME,
      'POST /auth/logout': () => Response.json({ message: 'Bye' })
    })
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
    const server = createCartServer([pak(2)], ME)
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
    const server = createCartServer([pak(2)], ME)
    const page = await openSyncedPage(server)
    server.isDown = true
    await page.clearCartEverywhere()
    expect(warn).toHaveBeenCalledWith('Failed to clear cart on backend', expect.anything())
    expect(page.counts()).toEqual({})
    expect(page.toastTexts()).toEqual([
      ['Cart cleared', 'All items have been removed from your cart.']
    ])
    server.isDown = false
    await page.syncCart()
    expect(server.cart().lines).toEqual([])
    expect(page.counts()).toEqual({})
  })

  test('makes no call for a visitor', async () => {
    const server = createCartServer()
    const page = await openSyncedPage(server, [makeLine('pak')], null)
    await page.clearCartEverywhere()
    expect(server.calls).toEqual([])
    expect(page.counts()).toEqual({})
  })
})
