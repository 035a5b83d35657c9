// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import type { CartLine } from '#lib/stores/cart-line.ts'
import { line } from '../support/cards.ts'
import { SHOP } from '../support/orders.ts'

const PAK = line('pak', 2, { name: 'Mysore Pak', price: 180 })
const LADDU = line('laddu', 1, { name: 'Boondi Laddu', price: 99.5 })
const DEAL = line('halwa', 1, { name: 'Halwa', price: 256, discount: 20 })

afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** The cart page with what an earlier page put in, in a shop that says `live` of its products. */
async function openCart(lines: readonly CartLine[], live: readonly LiveProduct[] = lines.map(unchanged)) {
  vi.resetModules()
  localStorage.setItem('cart', JSON.stringify(lines))
  const { configureApi } = await import('#lib/api.ts')
  configureApi({ send: async () => Response.json({ products: live }) })
  const { CartPage } = await import('#islands/cart/CartPage.tsx')
  const { $toasts } = await import('#lib/stores/toasts.ts')
  const { $cart, addToCart } = await import('#lib/stores/cart.ts')
  onTestFinished(() => cleanStores($cart))
  render(<CartPage shop={SHOP} />)
  await act(async () => undefined)
  return { addToCart, toasts: () => $toasts.get().map(({ title }) => title) }
}

function unchanged({ _id: id, price }: CartLine): LiveProduct {
  return { id, price, stock: 'in' }
}

function names(): (string | null)[] {
  return screen.queryAllByRole('article').map(article => within(article).getByRole('link').textContent)
}

function row(name: string) {
  const article = screen.getAllByRole('article').find(found => within(found).queryByRole('link', { name }))
  if (!article) throw new Error(`The cart has no ${name}`)
  return { ...within(article), text: () => article.textContent }
}

function total(): string | null {
  return screen.getByLabelText('Cart total').textContent
}

function press(within: { getByRole: typeof screen.getByRole }, name: string): void {
  fireEvent.click(within.getByRole('button', { name }))
}

describe('the cart', () => {
  test('shows each line with its pack, its price and what it comes to, and the total', async () => {
    await openCart([PAK, LADDU])
    expect(names()).toEqual(['Mysore Pak', 'Boondi Laddu'])
    expect(row('Mysore Pak').text()).toContain('₹360.00')
    expect(row('Mysore Pak').text()).toContain('₹180.00 · 250 g')
    expect(row('Mysore Pak').getByRole('link').getAttribute('href')).toBe('/products/pak')
    expect(total()).toBe('₹459.50')
  })

  test("that is empty says 'Your cart is empty' and leads to the products", async () => {
    await openCart([])
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Continue Shopping' }).getAttribute('href')).toBe('/products')
  })

  test('follows what another part of the page adds', async () => {
    const { addToCart } = await openCart([PAK])
    act(() => addToCart(LADDU))
    expect(names()).toEqual(['Mysore Pak', 'Boondi Laddu'])
  })
})

describe('the quantity', () => {
  test('goes up and down at once', async () => {
    await openCart([PAK])
    press(row('Mysore Pak'), 'Increase quantity')
    expect(total()).toBe('₹540.00')
    press(row('Mysore Pak'), 'Decrease quantity')
    press(row('Mysore Pak'), 'Decrease quantity')
    expect(total()).toBe('₹180.00')
  })

  test('never goes below 1', async () => {
    await openCart([LADDU])
    expect(row('Boondi Laddu').getByRole('button', { name: 'Decrease quantity' })).toHaveProperty('disabled', true)
  })

  test("of a discounted product can't be raised: 'You cannot add more quantity of a discounted product'", async () => {
    const { toasts } = await openCart([DEAL])
    press(row('Halwa'), 'Increase quantity')
    expect(toasts()).toEqual(['You cannot add more quantity of a discounted product'])
    expect(total()).toBe('₹256.00')
  })

  test('beyond what the shop has is refused in words', async () => {
    const { toasts } = await openCart([PAK], [{ id: 'pak', price: 180, stock: 'low', left: 2 }])
    press(row('Mysore Pak'), 'Increase quantity')
    expect(toasts()).toEqual(['That is all we can pack'])
    expect(total()).toBe('₹360.00')
  })
})

describe('removing a line', () => {
  test('can be undone on the spot, where the focus is', async () => {
    const { toasts } = await openCart([PAK, LADDU])
    press(row('Mysore Pak'), 'Remove Mysore Pak')
    expect(names()).toEqual(['Boondi Laddu'])
    expect(toasts()).toEqual(['Item removed'])
    const undo = screen.getByRole('button', { name: 'Undo: put Mysore Pak back' })
    expect(document.activeElement).toBe(undo)
    fireEvent.click(undo)
    expect(names()).toEqual(['Mysore Pak', 'Boondi Laddu'])
    expect(screen.queryByRole('button', { name: /Undo/ })).toBeNull()
  })

  test('can be undone in an emptied cart too', async () => {
    await openCart([PAK])
    press(row('Mysore Pak'), 'Remove Mysore Pak')
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    press(screen, 'Undo: put Mysore Pak back')
    expect(total()).toBe('₹360.00')
  })
})

describe('clearing the cart', () => {
  test('asks first', async () => {
    const { toasts } = await openCart([PAK, LADDU])
    press(screen, 'Clear cart')
    const dialog = within(screen.getByRole('dialog', { name: 'Clear the cart?' }))
    press(dialog, 'Keep it')
    expect(names()).toHaveLength(2)
    press(screen, 'Clear cart')
    press(within(screen.getByRole('dialog')), 'Clear cart')
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    expect(toasts()).toEqual(['Cart cleared'])
    expect(localStorage.getItem('cart')).toBeNull()
  })
})

describe('what changed since the shopper was here', () => {
  test('is said in words and counted in the total', async () => {
    await openCart(
      [PAK, LADDU],
      [
        { id: 'pak', price: 190, stock: 'low', left: 1 },
        { id: 'laddu', price: 99.5, stock: 'out' }
      ]
    )
    await waitFor(() => expect(row('Mysore Pak').getByText('Price is now ₹190.00')).toBeTruthy())
    expect(row('Mysore Pak').getByText('Only 1 left')).toBeTruthy()
    expect(row('Boondi Laddu').getByText('Out of stock')).toBeTruthy()
    expect(total()).toBe('₹479.50')
  })

  test('offers the number of packs that are left', async () => {
    await openCart([PAK], [{ id: 'pak', price: 180, stock: 'low', left: 1 }])
    press(row('Mysore Pak'), 'Change to 1')
    expect(total()).toBe('₹180.00')
    expect(row('Mysore Pak').queryByText('Only 1 left')).toBeNull()
  })

  test('a product that the shop does not sell any more is named', async () => {
    await openCart([PAK], [])
    expect(row('Mysore Pak').getByText('No longer sold')).toBeTruthy()
  })
})
