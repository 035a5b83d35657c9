import { act } from '@testing-library/react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { cleanStores } from 'nanostores'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeLine } from '../support/cards.ts'
import { SHOP } from '../support/orders.ts'
import { createList, leavePage, shownIds, status } from './product-list-page.tsx'

const CART = JSON.stringify([makeLine('pak', 2)])

let root: Root | undefined
let errors: unknown[] = []

beforeEach(() => {
  errors = []
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void errors.push(args))
})

afterEach(() => {
  act(() => root?.unmount())
  document.body.innerHTML = ''
  leavePage()
})

async function hydrate(
  html: string,
  island: React.ReactNode,
  changeBefore = (): void => undefined
) {
  document.body.innerHTML = `<main>${html}</main>`
  changeBefore()
  const main = document.querySelector('main')
  if (!main) throw new Error('No main element')
  await act(async () => {
    root = hydrateRoot(main, island, { onRecoverableError: error => errors.push(error) })
  })
}

async function renderListHtml() {
  localStorage.removeItem('cart')
  const { browser } = await createList({})
  return renderToString(browser)
}

describe('Prerendered product list', () => {
  test('hydrates without errors if a cart is stored and the URL contains filters', async () => {
    const html = await renderListHtml()
    localStorage.setItem('cart', CART)
    // Hides the list, which may not match the URL, until it is hydrated.
    document.documentElement.setAttribute('data-query', '')
    const { browser } = await createList({ query: '?q=pak' })
    await hydrate(html, browser)
    expect(errors).toEqual([])
    expect(document.documentElement.hasAttribute('data-query')).toBe(false)
    expect(shownIds()).toEqual(['pak'])
    expect(status()).toBe('1 product')
    expect(document.body.textContent).toContain('In Cart: 2')
  })

  test('keeps the text that was typed before hydration, and the filters of the URL', async () => {
    const html = await renderListHtml()
    const { browser } = await createList({ query: '?category=sweets' })
    await hydrate(html, browser, () => {
      const field = document.querySelector<HTMLInputElement>('input[type=search]')
      if (field) field.value = 'a'
    })
    expect(shownIds()).toEqual(['pak', 'halwa'])
  })
})

describe('Prerendered cart page', () => {
  test('contains no cart lines and hydrates without errors if a cart is stored', async () => {
    localStorage.setItem('cart', CART)
    vi.resetModules()
    const { configureApi } = await import('#lib/api.ts')
    configureApi({
      send: async () => Response.json({ products: [{ id: 'pak', price: 100, stock: 'in' }] })
    })
    const { CartPage } = await import('#islands/cart/CartPage.tsx')
    const { $cart } = await import('#lib/stores/cart.ts')
    onTestFinished(() => cleanStores($cart))
    const html = renderToString(<CartPage shop={SHOP} />)
    expect(html).toContain('Your Cart')
    expect(html).not.toContain('empty')
    await hydrate(html, <CartPage shop={SHOP} />)
    expect(errors).toEqual([])
    expect(document.body.textContent).toContain('₹200.00')
  })
})
