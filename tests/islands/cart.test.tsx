import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LiveProduct } from '#lib/contract/catalog.ts'
import type { CartLine } from '#lib/cart/line.ts'
import { makeLine } from '../support/cards.ts'
import { SHOP } from '../support/orders.ts'

const PAK = makeLine('pak', 2, { name: 'Mysore Pak', price: 180 })
const LADDU = makeLine('laddu', 1, { name: 'Boondi Laddu', price: 99.5 })
const DEAL = makeLine('halwa', 1, { name: 'Halwa', price: 256, discount: 20 })

afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** Opens the cart page with a stored cart and live products from a stubbed API. */
async function openCart(
  lines: readonly CartLine[],
  live: readonly LiveProduct[] = lines.map(toLiveProduct)
) {
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

function shownNames(): (string | null)[] {
  return screen
    .queryAllByRole('article')
    .map(article => within(article).getByRole('link').textContent)
}

function findRow(name: string) {
  const article = screen
    .getAllByRole('article')
    .find(found => within(found).queryByRole('link', { name }))
  if (!article) throw new Error(`The cart has no ${name}`)
  return { ...within(article), text: () => article.textContent }
}

function shownTotal(): string | null {
  return screen.getByLabelText('Cart total').textContent
}

function press(container: { getByRole: typeof screen.getByRole }, name: string): void {
  fireEvent.click(container.getByRole('button', { name }))
}

describe('Cart page', () => {
  test('shows pack, price and total of each line, and the cart total', async () => {
    await openCart([PAK, LADDU])
    expect(shownNames()).toEqual(['Mysore Pak', 'Boondi Laddu'])
    expect(findRow('Mysore Pak').text()).toContain('₹360.00')
    expect(findRow('Mysore Pak').text()).toContain('₹180.00 · 250 g')
    expect(findRow('Mysore Pak').getByRole('link').getAttribute('href')).toBe('/products/pak')
    expect(shownTotal()).toBe('₹459.50')
  })

  test('shows the price without discount beside a drawn price', async () => {
    await openCart([DEAL], [{ id: 'halwa', price: 320, stock: 'in' }])
    expect(findRow('Halwa').text()).toContain('₹256.00 instead of ₹320.00 · 250 g')
    expect(findRow('Halwa').getByText('₹320.00').tagName).toBe('S')
  })

  test('shows the subtotal under the lines, with a link to the form', async () => {
    await openCart([PAK, LADDU])
    expect(screen.getByText('Subtotal').textContent).toBe('Subtotal ₹459.50')
    const target = screen.getByRole('link', { name: 'Checkout' }).getAttribute('href')
    expect(document.querySelector(target ?? '')).toBe(
      screen.getByRole('form', { name: 'Checkout' })
    )
  })

  test("shows 'Your cart is empty' with a link to the products", async () => {
    await openCart([])
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Continue Shopping' }).getAttribute('href')).toBe(
      '/products'
    )
  })

  test('updates when another part of the page adds a product', async () => {
    const { addToCart } = await openCart([PAK])
    act(() => addToCart(LADDU))
    expect(shownNames()).toEqual(['Mysore Pak', 'Boondi Laddu'])
  })
})

describe('Cart page: quantity', () => {
  test('changes the total at once', async () => {
    await openCart([PAK])
    press(findRow('Mysore Pak'), 'Increase quantity')
    expect(shownTotal()).toBe('₹540.00')
    press(findRow('Mysore Pak'), 'Decrease quantity')
    press(findRow('Mysore Pak'), 'Decrease quantity')
    expect(shownTotal()).toBe('₹180.00')
  })

  test('cannot be reduced below 1, and the button keeps the focus', async () => {
    await openCart([{ ...LADDU, quantity: { ...LADDU.quantity, value: 2 } }])
    const button = findRow('Boondi Laddu').getByRole('button', { name: 'Decrease quantity' })
    button.focus()
    fireEvent.click(button)
    fireEvent.click(button)
    expect(findRow('Boondi Laddu').getByRole('status').textContent).toBe('1')
    expect([button.getAttribute('aria-disabled'), document.activeElement]).toEqual(['true', button])
  })

  test('of a discounted product can’t be increased', async () => {
    const { toasts } = await openCart([DEAL], [{ id: 'halwa', price: 320, stock: 'in' }])
    press(findRow('Halwa'), 'Increase quantity')
    expect(toasts()).toEqual(['You cannot add more quantity of a discounted product'])
    expect(shownTotal()).toBe('₹256.00')
  })

  test('above the stock is refused with a toast', async () => {
    const { toasts } = await openCart([PAK], [{ id: 'pak', price: 180, stock: 'low', left: 2 }])
    press(findRow('Mysore Pak'), 'Increase quantity')
    expect(toasts()).toEqual(['Can’t add more'])
    expect(shownTotal()).toBe('₹360.00')
  })
})

describe('Cart page: removing a line', () => {
  test('moves the focus to Undo, and Undo restores the line at its old position', async () => {
    const { toasts } = await openCart([PAK, LADDU])
    press(findRow('Mysore Pak'), 'Remove Mysore Pak')
    expect(shownNames()).toEqual(['Boondi Laddu'])
    expect(toasts()).toEqual(['Item removed'])
    const undo = screen.getByRole('button', { name: 'Undo: put Mysore Pak back' })
    expect(document.activeElement).toBe(undo)
    fireEvent.click(undo)
    expect(shownNames()).toEqual(['Mysore Pak', 'Boondi Laddu'])
    expect(screen.queryByRole('button', { name: /Undo/ })).toBeNull()
  })

  test('can be undone even if the cart is now empty', async () => {
    await openCart([PAK])
    press(findRow('Mysore Pak'), 'Remove Mysore Pak')
    expect(screen.getByText('Your cart is empty')).toBeTruthy()
    press(screen, 'Undo: put Mysore Pak back')
    expect(shownTotal()).toBe('₹360.00')
  })
})

describe('Cart page: clearing the cart', () => {
  test('asks for confirmation', async () => {
    const { toasts } = await openCart([PAK, LADDU])
    press(screen, 'Clear cart')
    const dialog = within(screen.getByRole('dialog', { name: 'Clear cart?' }))
    press(dialog, 'Keep items')
    expect(shownNames()).toHaveLength(2)
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
    await waitFor(() =>
      expect(findRow('Mysore Pak').getByText('Price is now ₹190.00')).toBeTruthy()
    )
    expect(findRow('Mysore Pak').getByText('Only 1 left')).toBeTruthy()
    expect(findRow('Boondi Laddu').getByText('Out of stock')).toBeTruthy()
    expect(shownTotal()).toBe('₹479.50')
  })

  test('offers to reduce the quantity to the stock', async () => {
    await openCart([PAK], [{ id: 'pak', price: 180, stock: 'low', left: 1 }])
    press(findRow('Mysore Pak'), 'Change to 1')
    expect(shownTotal()).toBe('₹180.00')
    expect(findRow('Mysore Pak').queryByText('Only 1 left')).toBeNull()
  })

  test('shows that a product is no longer sold', async () => {
    await openCart([PAK], [])
    expect(findRow('Mysore Pak').getByText('No longer sold')).toBeTruthy()
  })
})
