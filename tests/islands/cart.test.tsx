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

/** The cart page with a stored cart and live products from a stubbed API. */
async function openCart(lines: readonly CartLine[], live: readonly LiveProduct[] = lines.map(toLiveProduct)) {
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

function toLiveProduct({ _id: id, price }: CartLine): LiveProduct {
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

describe('Cart page', () => {
  test('shows pack, price and total of each line, and the cart total', async () => {
    await openCart([PAK, LADDU])
    expect(names()).toEqual(['Mysore Pak', 'Boondi Laddu'])
    expect(row('Mysore Pak').text()).toContain('₹360.00')
    expect(row('Mysore Pak').text()).toContain('₹180.00 · 250 g')
    expect(row('Mysore Pak').getByRole('link').getAttribute('href')).toBe('/products/pak')
    expect(total()).toBe('₹459.50')
  })

  test("shows 'Your cart is empty' with a link to the products", async () => {
    await openCart([])
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Continue Shopping' }).getAttribute('href')).toBe('/products')
  })

  test('updates when another part of the page adds a product', async () => {
    const { addToCart } = await openCart([PAK])
    act(() => addToCart(LADDU))
    expect(names()).toEqual(['Mysore Pak', 'Boondi Laddu'])
  })
})

describe('Cart page: quantity', () => {
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

  test('of a discounted product can’t be increased', async () => {
    const { toasts } = await openCart([DEAL])
    press(row('Halwa'), 'Increase quantity')
    expect(toasts()).toEqual(['You cannot add more quantity of a discounted product'])
    expect(total()).toBe('₹256.00')
  })

  test('beyond the stock shows a toast', async () => {
    const { toasts } = await openCart([PAK], [{ id: 'pak', price: 180, stock: 'low', left: 2 }])
    press(row('Mysore Pak'), 'Increase quantity')
    expect(toasts()).toEqual(['Can’t add more'])
    expect(total()).toBe('₹360.00')
  })
})

describe('Cart page: removing a line', () => {
  test('can be undone in place with the focus on Undo', async () => {
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

  test('can be undone in an empty cart', async () => {
    await openCart([PAK])
    press(row('Mysore Pak'), 'Remove Mysore Pak')
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    press(screen, 'Undo: put Mysore Pak back')
    expect(total()).toBe('₹360.00')
  })
})

describe('Cart page: clearing the cart', () => {
  test('asks for confirmation', async () => {
    const { toasts } = await openCart([PAK, LADDU])
    press(screen, 'Clear cart')
    const dialog = within(screen.getByRole('dialog', { name: 'Clear cart?' }))
    press(dialog, 'Keep items')
    expect(names()).toHaveLength(2)
    press(screen, 'Clear cart')
    press(within(screen.getByRole('dialog')), 'Clear cart')
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    expect(toasts()).toEqual(['Cart cleared'])
    expect(localStorage.getItem('cart')).toBeNull()
  })
})

describe('Cart page: changes since the last visit', () => {
  test('shows changed prices and stock and uses them for the total', async () => {
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

  test('offers to reduce the quantity to the stock', async () => {
    await openCart([PAK], [{ id: 'pak', price: 180, stock: 'low', left: 1 }])
    press(row('Mysore Pak'), 'Change to 1')
    expect(total()).toBe('₹180.00')
    expect(row('Mysore Pak').queryByText('Only 1 left')).toBeNull()
  })

  test('marks a product that is no longer sold', async () => {
    await openCart([PAK], [])
    expect(row('Mysore Pak').getByText('No longer sold')).toBeTruthy()
  })
})
