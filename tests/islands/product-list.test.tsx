import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import {
  radio,
  leavePage,
  makeCards,
  openList,
  PAK_SIZES,
  PRODUCTS,
  PRODUCT_IDS,
  SEARCH,
  shownIds,
  status,
  toReply
} from './product-list-page.tsx'

afterEach(leavePage)

const search = (): Response => Response.json(SEARCH)

/** Simulates Back and Forward. */
function navigateTo(query: string, state: unknown = null): void {
  history.replaceState(state, '', `/products${query}`)
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
}

test('Product cards show price, pack, stock and link, add their product and show what is in the cart', async () => {
  await openList()
  expect(shownIds()).toEqual(PRODUCT_IDS)
  const cards = screen.getAllByRole('article').map(card => ({ card, ...within(card) }))
  const [, pickle, pak, halwa] = cards
  expect(pak?.card.textContent).toContain('₹180.00250 g₹72.00 / 100 g')
  expect(pickle?.getByText('Few left')).toBeTruthy()
  expect(halwa?.getByText('Out of Stock')).toBeTruthy()
  expect(halwa?.getByRole('button')).toHaveProperty('disabled', true)
  expect(screen.queryByText(/In Cart/)).toBeNull()
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
    expect(card.getByText('from')).toBeTruthy()
    expect(card.getByText('250 g · 2 sizes')).toBeTruthy()
    expect(status()).toBe('1 product')
    cart.addToCart({ _id: 'pak-1000', name: 'Mysore Pak', price: 680, image: '' }, 2)
    fireEvent.click(card.getByRole('button', { name: 'Add to Cart: Mysore Pak, 250 g' }))
    expect(cart.$cart.get().map(({ _id }) => _id)).toEqual(['pak-1000', 'pak'])
    expect(card.getByText('In Cart: 3')).toBeTruthy()
  })

  test('shows the size that the filters find, with its price, link and button', async () => {
    const { card, cart } = await openFamily('?price=501-700')
    expect(shownIds()).toEqual(['pak-1000'])
    expect(card.getByText('₹680.00')).toBeTruthy()
    expect(card.getByText('1 kg · 2 sizes')).toBeTruthy()
    expect(card.getByText('₹68.00 / 100 g')).toBeTruthy()
    expect(card.queryByText('from')).toBeNull()
    fireEvent.click(card.getByRole('button', { name: 'Add to Cart: Mysore Pak, 1 kg' }))
    expect(cart.$cart.get()).toMatchObject([{ _id: 'pak-1000', price: 680 }])
    expect(status()).toBe('1 product')
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('are found in the whole catalogue too, and counted as one product', async () => {
    const products = [...PAK_SIZES, ...PRODUCTS.filter(({ id }) => id !== 'pak')]
    await openList({ prebuilt: [], total: 4, products: () => Response.json(toReply(products)) })
    await waitFor(() => expect(shownIds()).toEqual(PRODUCT_IDS))
    expect(status()).toBe('4 products')
    const described = radio('Price', '₹501 - ₹700').getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe('1')
    fireEvent.click(radio('Price', '₹501 - ₹700'))
    expect(shownIds()).toEqual(['pak-1000'])
  })
})

describe('Loading the whole catalogue', () => {
  test('updates prices and products', async () => {
    const [first, ...rest] = toReply(PRODUCTS)
    await openList({ products: () => Response.json([...rest, { ...first, price: 200 }]) })
    await waitFor(() => expect(shownIds()).toEqual(['pickle', 'pak', 'thattai', 'halwa']))
    expect(screen.getByText('₹200.00')).toBeTruthy()
  })

  test("that fails shows 'Failed to fetch products' and a retry above a list that can be filtered", async () => {
    const { shop } = await openList({
      products: () => Response.json({ code: 'INTERNAL' }, { status: 500 })
    })
    expect(await screen.findByText('Failed to fetch products')).toBeTruthy()
    expect(shownIds()).toEqual(PRODUCT_IDS)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'halwa' } })
    expect(shownIds()).toEqual(['halwa'])
    shop.products = () => Response.json(toReply(PRODUCTS))
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText('Failed to fetch products')).toBeNull())
  })

  test('that fails does not say ‘No products found’ of products that may exist', async () => {
    const products = () => Promise.reject(new TypeError('fetch failed'))
    await openList({ total: 40, products, search })
    await screen.findByText('Failed to fetch products')
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'jangiri' } })
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('0 products'))
    expect(screen.queryByText(/No products found/)).toBeNull()
  })

  test('of an empty shop says that its products come soon', async () => {
    await openList({ prebuilt: [], products: () => Response.json([]) })
    expect(await screen.findByText('Our first products will be here soon.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Clear all filters' })).toBeNull()
  })
})

describe('Product list: Back and Forward', () => {
  test('restore filters and search text', async () => {
    await openList({ query: '?q=pickle' })
    fireEvent.click(radio('Category', 'Sweets'))
    navigateTo('?q=halwa')
    expect(shownIds()).toEqual(['halwa'])
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'halwa')
    expect(radio('Category', 'All')).toHaveProperty('checked', true)
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
    expect(screen.queryByText(/No products found/)).toBeNull()
    act(() => reply(Response.json(toReply(allCards))))
    await waitFor(() => expect(shownIds()).toEqual(['p59']))
    expect(status()).toBe('1 product')
  })

  test('shows the total number before all products are loaded', async () => {
    await openList({ prebuilt: makeCards(48), total: 60 })
    expect(status()).toBe('60 products')
    expect(screen.getByRole('button', { name: 'Load more' })).toHaveProperty('disabled', true)
  })
})
