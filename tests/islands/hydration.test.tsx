// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { cleanStores } from 'nanostores'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { line } from '../support/cards.ts'
import { SHOP } from '../support/orders.ts'
import { freshList, leavePage, SHELF, shown, status } from './list.tsx'

const CART = JSON.stringify([line('pak', 2)])

let root: Root | undefined
let complaints: unknown[] = []

beforeEach(() => {
  complaints = []
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void complaints.push(words))
})

afterEach(() => {
  act(() => root?.unmount())
  document.body.innerHTML = ''
  leavePage()
})

/** Brings HTML that was made in an empty world to life in this one. */
async function hydrate(html: string, island: React.ReactNode): Promise<void> {
  document.body.innerHTML = `<main>${html}</main>`
  const main = document.querySelector('main')
  if (!main) throw new Error('The page has no main')
  await act(async () => {
    root = hydrateRoot(main, island, { onRecoverableError: error => complaints.push(error) })
  })
}

async function listHtml(): Promise<string> {
  localStorage.removeItem('cart')
  const { browser } = await freshList({})
  return renderToString(browser)
}

describe('the prebuilt product list', () => {
  test('has every card and its link before any script runs', async () => {
    const html = await listHtml()
    for (const { id, name } of SHELF) {
      expect(html).toContain(`href="/products/${id}"`)
      expect(html).toContain(name)
    }
    expect(html).not.toContain('In Cart')
  })

  test('is the same whatever is in the cart and the address of whoever built it', async () => {
    const html = await listHtml()
    localStorage.setItem('cart', CART)
    const { browser } = await freshList({ query: '?q=halwa&sort=rating' })
    expect(renderToString(browser)).toBe(html)
  })

  test('comes to life over a full cart and a filtered address without a complaint', async () => {
    const html = await listHtml()
    localStorage.setItem('cart', CART)
    const { browser } = await freshList({ query: '?q=pak' })
    await hydrate(html, browser)
    expect(complaints).toEqual([])
    expect(shown()).toEqual(['pak'])
    expect(status()).toBe('1 product')
    expect(document.body.textContent).toContain('In Cart: 2')
  })

  test.for(['{"_id":', '[{"id":7}]', 'null'])('comes to life over a damaged cart: %s', async stored => {
    const html = await listHtml()
    localStorage.setItem('cart', stored)
    const { browser } = await freshList({})
    await hydrate(html, browser)
    expect(complaints).toEqual([])
    expect(shown()).toHaveLength(SHELF.length)
  })

  test('takes the veil from the page that hid its cards', async () => {
    document.documentElement.setAttribute('data-query', '')
    const { browser } = await freshList({ query: '?q=pak' })
    await hydrate(await listHtml(), browser)
    expect(document.documentElement.hasAttribute('data-query')).toBe(false)
  })

  test('keeps what was typed before it came to life', async () => {
    const html = await listHtml()
    const { browser } = await freshList({})
    document.body.innerHTML = `<main>${html}</main>`
    const main = document.querySelector('main')
    const field = document.querySelector<HTMLInputElement>('input[type=search]')
    if (!main || !field) throw new Error('The page has no search field')
    field.value = 'halwa'
    await act(async () => {
      root = hydrateRoot(main, browser)
    })
    expect(shown()).toEqual(['halwa'])
  })
})

describe('the prebuilt cart page', () => {
  test('waits for the browser, and comes to life over a full cart without a complaint', async () => {
    localStorage.setItem('cart', CART)
    vi.resetModules()
    const { configureApi } = await import('#lib/api.ts')
    configureApi({ send: async () => Response.json({ products: [{ id: 'pak', price: 100, stock: 'in' }] }) })
    const { CartPage } = await import('#islands/cart/CartPage.tsx')
    const { $cart } = await import('#lib/stores/cart.ts')
    onTestFinished(() => cleanStores($cart))
    const html = renderToString(<CartPage shop={SHOP} />)
    expect(html).toContain('Your Cart')
    expect(html).not.toContain('empty')
    await hydrate(html, <CartPage shop={SHOP} />)
    expect(complaints).toEqual([])
    expect(document.body.textContent).toContain('₹200.00')
  })
})
