import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { expectLink, expectNotShown, expectShown } from '../support/page-input.ts'
import { makeCard } from '../support/cards.ts'
import {
  leavePage,
  makeCards,
  openList,
  PAK_SIZES,
  PRODUCTS,
  PRODUCT_IDS,
  radio,
  SEARCH,
  shownIds,
  status,
  toReply
} from './product-list-page.tsx'

// Parts of the list are loaded when they are needed.
configure({ asyncUtilTimeout: 5000 })
afterEach(leavePage)

const search = () => Response.json(SEARCH)

function type(text: string) {
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search products' }), {
    target: { value: text }
  })
}

describe('Product list: search', () => {
  test('finds other spellings and synonyms, and lists the best match first until a sort is chosen', async () => {
    const cards = [
      makeCard('ginger', {
        name: 'Ginger',
        description: 'Goes with every pickle.',
        price: 50,
        rating: 5
      }),
      ...PRODUCTS
    ]
    await openList({ prebuilt: cards, search })
    const sort = screen.getByRole('combobox', { name: 'Sort by' })
    expect(sort).toHaveProperty('value', 'price-low')
    fireEvent.focus(screen.getByRole('searchbox'))
    type('pikkle')
    await waitFor(() => expect(shownIds()).toEqual(['pickle', 'ginger']))
    expect(within(sort).getByRole('option', { selected: true }).textContent).toBe('Best match')
    fireEvent.change(sort, { target: { value: 'price-low' } })
    expect(shownIds()).toEqual(['ginger', 'pickle'])
    expect(location.search).toBe('?q=pikkle&sort=price-low')
    fireEvent.change(sort, { target: { value: 'best' } })
    type('achar')
    expect(shownIds()).toEqual(['pickle'])
    expect(sort).toHaveProperty('value', 'best')
    type('')
    expect(sort).toHaveProperty('value', 'price-low')
  })

  test('finds words as they were typed if the matcher can’t be loaded', async () => {
    await openList({ query: '?q=ghee', search: () => Response.error() })
    expect(shownIds()).toEqual(['halwa'])
    type('achar')
    expect(await screen.findByText('No products found matching your criteria.')).toBeTruthy()
  })

  test('that finds nothing offers another spelling, bestsellers and a call', async () => {
    await openList({ query: '?q=birthday+halwa&category=pickles', search })
    const spelling = await screen.findByRole('link', { name: 'halwa' })
    expect(shownIds()).toEqual(['pak', 'thattai', 'pickle'])
    expectLink('Call +91 431 400 1234', 'tel:+914314001234')
    expect(screen.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')).toMatch(
      /^https:\/\/wa\.me\/919876543210\?text=.*birthday%20halwa/
    )
    fireEvent.click(spelling)
    expect(location.search).toBe('?q=halwa')
    expect(shownIds()).toEqual(['halwa'])
  })

  test('that finds nothing is reported once the shopper has stopped typing, and not if a link was opened', async () => {
    const activation = { hasBeenActive: false }
    Object.assign(navigator, { userActivation: activation })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    try {
      const { reports } = await openList({ query: '?q=pizz', search })
      await screen.findByRole('heading', { name: 'Bestsellers' })
      await vi.advanceTimersByTimeAsync(5000)
      expect(reports).toEqual([])
      activation.hasBeenActive = true
      for (const text of ['pizz', 'pizza']) type(text)
      await vi.advanceTimersByTimeAsync(1000)
      expect(reports).toEqual([])
      await vi.advanceTimersByTimeAsync(1000)
      expect(reports).toEqual([{ text: 'pizza' }])
      type('halwa')
      type('pizza')
      await vi.advanceTimersByTimeAsync(2000)
      expect(reports).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  test('updates the URL on blur without a new history entry', async () => {
    await openList()
    const entries = history.length
    for (const text of ['g', 'gh', 'ghee']) type(text)
    fireEvent.blur(screen.getByRole('searchbox'))
    expect(location.search).toBe('?q=ghee')
    expect(history.length).toBe(entries)
    type('pickle')
    fireEvent.click(radio('Dietary', 'Vegan'))
    expect(location.search).toBe('?q=pickle&diet=vegan')
  })
})

describe('Product list: filters', () => {
  test("are removed by their chips, or all by 'Clear all', which keeps the sorting", async () => {
    await openList({ query: '?category=pickles&diet=vegan&q=lemon&sort=price-high' })
    for (const label of ['“lemon”', 'Pickles'])
      fireEvent.click(screen.getByRole('button', { name: `Remove filter: ${label}` }))
    expect(location.search).toBe('?diet=vegan&sort=price-high')
    expect(shownIds()).toEqual(['pickle', 'thattai'])
    fireEvent.click(screen.getByRole('button', { name: 'Clear all' }))
    expect(location.search).toBe('?sort=price-high')
    expect(shownIds()).toEqual(PRODUCT_IDS.toReversed())
  })

  test("that match no product show a message and 'Clear all filters'", async () => {
    await openList({ query: '?q=pizza', search })
    expect(status()).toBe('Loading products…')
    expect(await screen.findByText('No products found matching your criteria.')).toBeTruthy()
    expect(status()).toBe('0 products')
    expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Clear all filters' }))
    expect(shownIds()).toEqual(PRODUCT_IDS)
  })

  test('that match only the name of a collection lead to it', async () => {
    const collections = [
      { id: 'diwali-gifts', name: 'Diwali gifts', nameTamil: '' },
      { id: 'wedding', name: 'Wedding', nameTamil: '' }
    ]
    await openList({ query: '?q=diwali', collections, search })
    expect(
      (await screen.findByRole('link', { name: 'See Diwali gifts' })).getAttribute('href')
    ).toBe('/collections/diwali-gifts')
    expect(screen.queryByRole('link', { name: 'See Wedding' })).toBeNull()
  })
})

/** Simulates Back and Forward. */
function navigateTo(query: string, state: unknown = null) {
  history.replaceState(state, '', `/products${query}`)
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
}

test('Product cards show price, pack, stock and link, add their product and show what is in the cart', async () => {
  await openList()
  expect(shownIds()).toEqual(PRODUCT_IDS)
  const cards = screen.getAllByRole('article').map(card => ({ card, ...within(card) }))
  const [, pickle, pak, halwa] = cards
  expect(pak?.card.textContent).toContain('250 g · ₹180.00₹72.00 / 100 g')
  expect(pickle?.getByText('Few left')).toBeTruthy()
  expect(halwa?.getByText('Out of Stock')).toBeTruthy()
  expect(halwa?.getByRole('button')).toHaveProperty('disabled', true)
  expectNotShown(/In Cart/)
  const add = screen.getByRole('button', { name: 'Add to Cart: Mysore Pak' })
  for (const _ of [1, 2]) fireEvent.click(add)
  expect(pak?.getByText('In Cart: 2')).toBeTruthy()
})

describe('Product card of several pack sizes', () => {
  const openFamily = async (query = '') => {
    const list = await openList({ prebuilt: PAK_SIZES, total: 1, query, search })
    return { ...list, card: within(screen.getByRole('article')) }
  }

  test("shows the lowest price after 'from', adds that size and counts the packs of all sizes", async () => {
    const { card, cart } = await openFamily()
    expect(screen.getByRole('article').textContent).toMatch(/250 g · from ₹180.00.*2 sizes/)
    expect(status()).toBe('1 product')
    cart.addToCart({ _id: 'pak-1000', name: 'Mysore Pak', price: 680, image: '' }, 2)
    fireEvent.click(card.getByRole('button', { name: 'Add to Cart: Mysore Pak, 250 g' }))
    expect(cart.$cart.get().map(({ _id }) => _id)).toEqual(['pak-1000', 'pak'])
    expect(card.getByText('In Cart: 3')).toBeTruthy()
  })
})

describe('Loading the whole catalogue', () => {
  test('updates prices and products', async () => {
    const [first, ...rest] = toReply(PRODUCTS)
    await openList({ products: () => Response.json([...rest, { ...first, price: 200 }]) })
    await waitFor(() => expect(shownIds()).toEqual(['pickle', 'pak', 'thattai', 'halwa']))
    expectShown('₹200.00')
  })

  test("that fails shows 'Failed to fetch products' and a retry above a list that can be filtered", async () => {
    const { shop } = await openList({
      total: 40,
      products: () => Response.json({ code: 'INTERNAL' }, { status: 500 }),
      search
    })
    expect(await screen.findByText('Failed to fetch products')).toBeTruthy()
    expect(shownIds()).toEqual(PRODUCT_IDS)
    const type = (value: string) =>
      fireEvent.change(screen.getByRole('searchbox'), { target: { value } })
    type('halwa')
    expect(shownIds()).toEqual(['halwa'])
    type('jangiri')
    await waitFor(() => expect(status()).toBe('0 products'))
    expectNotShown(/No products found/)
    shop.products = () => Response.json(toReply(PRODUCTS))
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText('Failed to fetch products')).toBeNull())
  })

  test('of an empty shop says that its products come soon', async () => {
    await openList({ prebuilt: [], products: () => Response.json([]) })
    expect(await screen.findByText('Our first products will be here soon.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Clear all filters' })).toBeNull()
  })
})

describe('Product list: long list', () => {
  test("shows 48 products at first; 'Load more' adds 24 and focuses the first new product", async () => {
    await openList({ prebuilt: makeCards(80) })
    expect(shownIds()).toHaveLength(48)
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(shownIds()).toHaveLength(72)
    expect(document.activeElement?.getAttribute('href')).toBe('/products/p48')
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(shownIds()).toHaveLength(80)
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('shows the same number of products after the browser goes back', async () => {
    await openList({ prebuilt: makeCards(80) })
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    const savedState: unknown = history.state
    navigateTo('?q=p1')
    navigateTo('', savedState)
    expect(shownIds()).toHaveLength(72)
  })

  test('waits until all products are loaded before it shows that nothing was found', async () => {
    const allCards = makeCards(60)
    let reply: (response: Response) => void = () => undefined
    await openList({
      prebuilt: allCards.slice(0, 48),
      total: 60,
      query: '?q=p59',
      products: () => new Promise<Response>(resolve => (reply = resolve))
    })
    expect(status()).toBe('Loading products…')
    expectNotShown(/No products found/)
    act(() => reply(Response.json(toReply(allCards))))
    await waitFor(() => expect(shownIds()).toEqual(['p59']))
    expect(status()).toBe('1 product')
  })
})
