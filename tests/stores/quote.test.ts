// @vitest-environment happy-dom
import { cleanStores } from 'nanostores'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CartLine } from '#lib/stores/cart-line.ts'
import { line } from '../support/cards.ts'
import { cartServer, type CartServer } from '../support/cart-server.ts'
import { openPage, PRIYA } from '../support/session.ts'

const DEAL = line('pak', 1, { name: 'Mysore Pak', price: 144, discount: 20, dealId: 'diwali' })

/** The cart after the shop was asked what it costs; of Priya unless of a visitor. */
async function quoted(server: CartServer, held: CartLine[], token: string | undefined = 't') {
  await openPage({ send: server.send, ...(token && { token, user: JSON.stringify(PRIYA) }) })
  localStorage.setItem('cart', JSON.stringify(held))
  const { $cart } = await import('#lib/stores/cart.ts')
  const { $cartView } = await import('#lib/stores/cart-shown.ts')
  const { requote } = await import('#lib/stores/quote.ts')
  $cartView.listen(() => undefined)
  onTestFinished(() => cleanStores($cartView, $cart))
  await requote()
  const { lines, total } = $cartView.get()
  return { cart: $cart.get(), lines, total, changes: lines.map(({ changes }) => changes) }
}

function shop(draft: Parameters<CartServer['quotes']>[1]): CartServer {
  const server = cartServer()
  server.quotes('pak', draft)
  return server
}

describe('asking what the cart costs', () => {
  test('brings today’s prices and stock, said in words', async () => {
    const server = shop({ listPrice: 190, stock: 'low', most: 1 })
    const { changes, total } = await quoted(server, [line('pak', 2, { price: 180 })])
    expect(changes).toEqual([['Price is now ₹190.00', 'Only 1 left']])
    expect(total).toBe(38_000)
  })

  test('says what has sold out and what is not sold any more', async () => {
    const sold = await quoted(shop({ stock: 'out', most: 0, problem: 'out_of_stock' }), [line('pak')])
    expect(sold.changes).toEqual([['Out of stock']])
    const gone = await quoted(shop({ most: 0, problem: 'gone', listPrice: 0 }), [line('pak')])
    expect(gone.changes).toEqual([['No longer sold']])
  })

  test('has lines of one product share its stock', async () => {
    const server = cartServer()
    server.quotes('pak', { listPrice: 180, price: 144, discount: 20, stock: 'low', most: 2 })
    const { lines } = await quoted(server, [DEAL, line('pak', 2, { price: 180 })])
    expect(lines.map(({ left }) => left)).toEqual([undefined, 1])
  })

  test('falls back on the live catalogue', async () => {
    const live = () => Response.json({ products: [{ id: 'pak', price: 195, stock: 'in' }] })
    const server = cartServer([], { 'GET /catalog/live?ids=pak': live })
    const send = server.send
    server.send = (url, init) =>
      url.endsWith('/quote') ? Promise.resolve(Response.json({}, { status: 404 })) : send(url, init)
    expect((await quoted(server, [line('pak', 1, { price: 180 })])).changes).toEqual([['Price is now ₹195.00']])
  })

  test('leaves the cart as it is without network', async () => {
    const server = cartServer()
    server.down = true
    expect((await quoted(server, [DEAL])).total).toBe(14_400)
  })
})

describe('a drawn discount', () => {
  test('that still runs stays', async () => {
    const { cart, changes } = await quoted(shop({ listPrice: 180, price: 144, discount: 20 }), [DEAL])
    expect(cart).toEqual([DEAL])
    expect(changes).toEqual([[]])
  })

  test('is what the shop says it is, whatever storage holds', async () => {
    const tampered = { ...DEAL, price: 1, discount: 99 }
    const { cart, total } = await quoted(shop({ listPrice: 180, price: 153, discount: 15 }), [tampered])
    expect(cart).toMatchObject([{ price: 153, discount: 15, dealId: 'diwali' }])
    expect(total).toBe(15_300)
  })

  test.for([
    ['ended', 'discount_ended', 'Your discount has ended, so this is the normal price.'],
    ['was used', 'discount_used', 'Your discount was used in an earlier order, so this is the normal price.']
  ] as const)('that %s is explained, and the line returns to its normal price', async ([, problem, words]) => {
    const { cart, changes, total } = await quoted(shop({ listPrice: 180, problem }), [DEAL])
    expect(cart[0]).not.toHaveProperty('discount')
    expect(cart[0]).not.toHaveProperty('dealId')
    expect(changes).toEqual([[words]])
    expect(total).toBe(18_000)
  })

  test('that ended joins the plain packs of the product', async () => {
    const server = shop({ listPrice: 180, problem: 'discount_ended' })
    const { cart, changes } = await quoted(server, [line('pak', 2, { price: 180 }), DEAL])
    expect(cart).toMatchObject([{ _id: 'pak', quantity: { value: 3 } }])
    expect(changes).toEqual([['Your discount has ended, so this is the normal price.']])
  })

  test('stays in the cart of a visitor, whose discounts the shop can’t know', async () => {
    const { cart } = await quoted(shop({ listPrice: 180, problem: 'discount_ended' }), [DEAL], '')
    expect(cart).toEqual([DEAL])
  })
})
