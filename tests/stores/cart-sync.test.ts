// @vitest-environment happy-dom
import { cleanStores } from 'nanostores'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CartEntry } from '#lib/contract/cart.ts'
import { line } from '../support/cards.ts'
import { cartServer, type CartServer } from '../support/cart-server.ts'
import { openPage, otherTabWrites, PRIYA } from '../support/session.ts'

const USER = JSON.stringify(PRIYA)
const ME = { 'GET /auth/me': () => Response.json(PRIYA) }
const SESSION = { token: 'priyas-token', user: PRIYA }
const pak = (quantity: number): CartEntry => ({ product: 'pak', quantity })
const halwa = (quantity: number): CartEntry => ({ product: 'halwa', quantity })

afterEach(() => vi.useRealTimers())

/** A page of Priya, or of a visitor, whose cart is kept in step with the shop's. */
async function openSynced(
  server: CartServer,
  held: ReturnType<typeof line>[] = [],
  token: string | null = SESSION.token
) {
  const page = await openPage({ send: server.send, ...(token !== null && { token, user: USER }) })
  if (held.length > 0) localStorage.setItem('cart', JSON.stringify(held))
  const cart = await import('#lib/stores/cart.ts')
  const sync = await import('#lib/stores/cart-sync.ts')
  cart.$cart.listen(() => undefined)
  const stop = await sync.startCartSync()
  onTestFinished(() => {
    stop()
    cleanStores(cart.$cart)
  })
  await settle()
  return {
    ...page,
    ...cart,
    ...sync,
    counts: () => Object.fromEntries(cart.$cart.get().map(({ _id, quantity }) => [_id, quantity.value]))
  }
}

/** Longer than the cart rests before the shop is told. */
function settle(ms = 20): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

const RESTED = 460

describe('the cart of who is logged in', () => {
  test('is what the shop keeps, with names and prices', async () => {
    const server = cartServer([halwa(2)], ME)
    const page = await openSynced(server)
    expect(page.$cart.get()).toMatchObject([
      { _id: 'halwa', name: 'halwa', price: 100, quantity: { value: 2, unit: 'g' } }
    ])
  })

  test('is told to the shop when it changes, in one call for several taps', async () => {
    const server = cartServer([], ME)
    const page = await openSynced(server)
    page.addToCart(line('pak'))
    page.addToCart(line('pak'))
    await settle(RESTED)
    expect(server.cart().lines).toEqual([pak(2)])
    expect(server.calls.filter(call => call === 'PUT /cart')).toHaveLength(1)
  })

  test('follows another device when the tab is looked at again', async () => {
    const server = cartServer([pak(1)], ME)
    const page = await openSynced(server)
    server.elsewhere([pak(1), halwa(3)])
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(page.counts()).toEqual({ pak: 1, halwa: 3 })
    server.elsewhere([halwa(3)])
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(page.counts()).toEqual({ halwa: 3 })
  })

  test('keeps what both devices have changed at the same time', async () => {
    const server = cartServer([pak(1)], ME)
    const page = await openSynced(server)
    server.before('PUT /cart', () => server.elsewhere([pak(1), halwa(1)]))
    page.addToCart(line('pak'))
    await settle(RESTED)
    expect(page.counts()).toEqual({ pak: 2, halwa: 1 })
    expect(server.cart().lines).toEqual([pak(2), halwa(1)])
  })

  test('keeps what the shopper changes while the shop answers', async () => {
    const server = cartServer([pak(1), halwa(1)], ME)
    const page = await openSynced(server)
    server.before('GET /cart', () => page.removeFromCart(line('halwa')))
    await page.syncCart()
    expect(page.counts()).toEqual({ pak: 1 })
    await settle(RESTED)
    expect(server.cart().lines).toEqual([pak(1)])
  })

  test('changed without network reaches the shop from the next page', async () => {
    const server = cartServer([pak(1)], ME)
    const page = await openSynced(server)
    server.down = true
    page.updateQuantity(line('pak'), 4)
    await settle(RESTED)
    expect(server.cart().lines).toEqual([pak(1)])
    server.down = false
    await openSynced(server)
    expect(server.cart().lines).toEqual([pak(4)])
  })

  test('is not asked for again by the next page within half a minute', async () => {
    const server = cartServer([pak(1)], ME)
    await openSynced(server)
    server.calls.length = 0
    await openSynced(server)
    expect(server.calls).toEqual(['GET /auth/me'])
  })

  test('of a discounted pack that another device has put in carries its discount', async () => {
    const server = cartServer([{ product: 'pak', quantity: 1, dealId: 'diwali' }], ME)
    server.quotes('pak', { discount: 15, price: 85, listPrice: 100 })
    const page = await openSynced(server)
    expect(page.$cart.get()).toMatchObject([{ _id: 'pak', price: 85, discount: 15, dealId: 'diwali' }])
  })

  test('loses what is not sold any more', async () => {
    const server = cartServer([pak(1), halwa(1)], ME)
    server.quotes('halwa', { problem: 'gone', name: '', price: 0 })
    const page = await openSynced(server)
    expect(page.counts()).toEqual({ pak: 1 })
    await settle(RESTED)
    expect(server.cart().lines).toEqual([pak(1)])
  })

  test.for(['{"session":', '7', '{"session":7}'])('survives a damaged note of what was agreed: %s', async note => {
    const server = cartServer([pak(1)], ME)
    await openSynced(server)
    localStorage.setItem('cart-agreed', note)
    const page = await openSynced(server)
    expect(page.counts()).toEqual({ pak: 1 })
  })
})

describe('logging in', () => {
  test('joins both carts, with the larger count of each line', async () => {
    const server = cartServer([pak(1), halwa(2)], ME)
    const page = await openSynced(server, [line('pak', 3)], null)
    expect(server.calls).toEqual([])
    page.setSession(SESSION)
    await settle()
    expect(page.counts()).toEqual({ pak: 3, halwa: 2 })
    expect(server.cart().lines).toEqual([pak(3), halwa(2)])
  })

  test('in another tab does too', async () => {
    const server = cartServer([halwa(2)], ME)
    const page = await openSynced(server, [line('pak')], null)
    otherTabWrites('user', USER)
    otherTabWrites('token', SESSION.token)
    await settle()
    expect(page.counts()).toEqual({ pak: 1, halwa: 2 })
  })

  test('again after a logout brings the cart back that the shop has kept', async () => {
    const server = cartServer([], { ...ME, 'POST /auth/logout': () => Response.json({ message: 'Bye' }) })
    const page = await openSynced(server, [line('pak', 2)])
    await page.logOut()
    await settle(RESTED)
    expect(page.counts()).toEqual({})
    expect(localStorage.getItem('cart-agreed')).toBeNull()
    expect(server.cart().lines).toEqual([pak(2)])
    page.setSession(SESSION)
    await settle()
    expect(page.counts()).toEqual({ pak: 2 })
  })
})

describe('clearing the cart', () => {
  test('asks the shop first when logged in', async () => {
    const server = cartServer([pak(2)], ME)
    const page = await openSynced(server)
    const held: unknown[] = []
    server.before('DELETE /cart', () => held.push(page.counts()))
    await page.clearEverywhere()
    expect(held).toEqual([{ pak: 2 }])
    expect(page.counts()).toEqual({})
    expect(localStorage.getItem('cart')).toBeNull()
    expect(server.cart().lines).toEqual([])
    expect(page.said()).toEqual([['Cart cleared', 'All items have been removed from your cart.']])
  })

  test("that the shop does not hear of is only logged: 'Failed to clear cart on backend'", async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const server = cartServer([pak(2)], ME)
    const page = await openSynced(server)
    server.down = true
    await page.clearEverywhere()
    expect(warn).toHaveBeenCalledWith('Failed to clear cart on backend', expect.anything())
    expect(page.counts()).toEqual({})
    expect(page.said()).toEqual([['Cart cleared', 'All items have been removed from your cart.']])
    server.down = false
    await page.syncCart()
    expect(server.cart().lines).toEqual([])
    expect(page.counts()).toEqual({})
  })

  test('asks nobody for a visitor', async () => {
    const server = cartServer()
    const page = await openSynced(server, [line('pak')], null)
    await page.clearEverywhere()
    expect(server.calls).toEqual([])
    expect(page.counts()).toEqual({})
  })
})
