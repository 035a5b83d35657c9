import { cleanStores } from 'nanostores'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CartLine } from '#lib/cart/line.ts'
import { makeLine } from '../support/cards.ts'
import { createCartServer, type CartServer } from '../support/cart-server.ts'
import { errorReply, openPage, PRIYA } from '../support/session.ts'

const DEAL = makeLine('pak', 1, { name: 'Mysore Pak', price: 144, discount: 20, dealId: 'diwali' })

/**
 * Requests a quote for the stored cart and returns the result. An empty `token` means a visitor.
 */
async function quoteCart(server: CartServer, stored: CartLine[], token: string | undefined = 't') {
  await openPage({ send: server.send, ...(token && { token, user: JSON.stringify(PRIYA) }) })
  localStorage.setItem('cart', JSON.stringify(stored))
  const { $cart } = await import('#lib/stores/cart.ts')
  const { $cartView, refreshQuote } = await import('#lib/stores/quote.ts')
  $cartView.listen(() => undefined)
  onTestFinished(() => cleanStores($cartView, $cart))
  await refreshQuote()
  const { lines, total } = $cartView.get()
  return { cart: $cart.get(), lines, total, changes: lines.map(({ changes }) => changes) }
}

function serverWithQuote(draft: Parameters<CartServer['setQuote']>[1]) {
  const server = createCartServer()
  server.setQuote('pak', draft)
  return server
}

describe('Quote of the cart', () => {
  test('uses the live catalogue if the quote cannot be loaded', async () => {
    const live = () => Response.json({ products: [{ id: 'pak', price: 195, stock: 'in' }] })
    const server = createCartServer([], { 'GET /catalog/live?ids=pak': live })
    const send = server.send
    server.send = (url, init) =>
      url.endsWith('/quote') ? Promise.resolve(Response.json({}, { status: 404 })) : send(url, init)
    expect((await quoteCart(server, [makeLine('pak', 1, { price: 180 })])).changes).toEqual([
      ['Price is now ₹195.00']
    ])
  })
})

describe('Quote of a drawn discount', () => {
  test('keeps a valid discount, and that of a visitor, whom the API does not know', async () => {
    const ended = serverWithQuote({ listPrice: 180, problem: 'discount_ended' })
    expect((await quoteCart(ended, [DEAL], '')).cart).toEqual([DEAL])
    const valid = serverWithQuote({ listPrice: 180, price: 144, discount: 20 })
    expect(await quoteCart(valid, [DEAL])).toMatchObject({ cart: [DEAL], changes: [[]] })
  })

  test('is not lost by a session that the server rejects', async () => {
    const server = createCartServer([], { 'GET /auth/me': errorReply(401) })
    server.setQuote('pak', { listPrice: 180, problem: 'discount_ended' })
    expect((await quoteCart(server, [DEAL])).cart).toEqual([DEAL])
  })

  test('uses the API’s discount if the user has changed the stored discount', async () => {
    const tampered = { ...DEAL, price: 1, discount: 99 }
    const { cart, total } = await quoteCart(
      serverWithQuote({ listPrice: 180, price: 153, discount: 15 }),
      [tampered]
    )
    expect(cart).toMatchObject([{ price: 153, discount: 15, dealId: 'diwali' }])
    expect(total).toBe(15_300)
  })

  test.for([
    ['ended', 'discount_ended', 'Your discount has ended, so this is the normal price.'],
    ['was used', 'discount_used', 'You already used your discount, so this is the normal price.']
  ] as const)(
    'joins the normal line of the product, up to its limit, and says why if the discount %s',
    async ([, problem, message]) => {
      const server = serverWithQuote({ listPrice: 180, problem })
      const stored = [makeLine('pak', 99, { price: 180 }), DEAL]
      const { cart, changes, total } = await quoteCart(server, stored)
      expect(cart).toMatchObject([{ _id: 'pak', quantity: { value: 99 } }])
      expect(cart[0]).not.toHaveProperty('discount')
      expect(cart[0]).not.toHaveProperty('dealId')
      expect(changes).toEqual([[message]])
      expect(total).toBe(99 * 18_000)
    }
  )
})
