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

describe('Product list', () => {
  test('shows the prerendered products sorted by price, and their number', async () => {
    await openList()
    expect(shownIds()).toEqual(PRODUCT_IDS)
    expect(status()).toBe('4 products')
  })

  test('shows current prices and products after loading', async () => {
    const [first, ...rest] = toReply(PRODUCTS)
    await openList({ products: () => Response.json([...rest, { ...first, price: 200 }]) })
    await waitFor(() => expect(shownIds()).toEqual(['pickle', 'pak', 'thattai', 'halwa']))
    expect(screen.getByText('₹200.00')).toBeTruthy()
  })
})

describe('Product card', () => {
  const findCard = (name: string): HTMLElement => {
    const card = screen
      .getAllByRole('article')
      .find(article => within(article).queryByRole('link', { name }))
    if (!card) throw new Error(`There is no card of ${name}`)
    return card
  }

  test('links to the product and shows price, pack and price per 100 g', async () => {
    await openList()
    const pak = findCard('Mysore Pak')
    expect(within(pak).getByRole('link').getAttribute('href')).toBe('/products/pak')
    expect(pak.textContent).toContain('₹180.00250 g₹72.00 / 100 g')
  })

  test("adds the product to the cart and shows 'In Cart: n'", async () => {
    await openList()
    const pak = findCard('Mysore Pak')
    expect(within(pak).queryByText(/In Cart/)).toBeNull()
    fireEvent.click(within(pak).getByRole('button', { name: 'Add to Cart: Mysore Pak' }))
    fireEvent.click(within(pak).getByRole('button', { name: 'Add to Cart: Mysore Pak' }))
    expect(within(pak).getByText('In Cart: 2')).toBeTruthy()
  })

  test("shows 'Out of Stock' and can’t be added to the cart if the product is sold out", async () => {
    await openList()
    const halwa = findCard('Tirunelveli Halwa')
    expect(within(halwa).getByText('Out of Stock')).toBeTruthy()
    expect(within(halwa).getByRole('button')).toHaveProperty('disabled', true)
    expect(within(findCard('Lemon Pickle')).getByText('Few left')).toBeTruthy()
  })
})

describe('Product card of several pack sizes', () => {
  const openFamily = async (query = '') => {
    const list = await openList({ prebuilt: PAK_SIZES, total: 1, query, search })
    return { ...list, card: within(screen.getByRole('article')) }
  }

  test("shows the lowest price after 'from' and the number of sizes", async () => {
    const { card } = await openFamily()
    expect(card.getByText('from')).toBeTruthy()
    expect(card.getByText('250 g · 2 sizes')).toBeTruthy()
    expect(status()).toBe('1 product')
  })

  test('adds the size that it shows, and counts the packs of all sizes', async () => {
    const { card, cart } = await openFamily()
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

  test('shows the size that the text names', async () => {
    await openList({ prebuilt: PAK_SIZES, total: 1, query: '?q=mysore+pak+1kg', search })
    await waitFor(() => expect(shownIds()).toEqual(['pak-1000']))
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

describe('Product list: filters', () => {
  test('by category, diet and price are combined and stored in the URL', async () => {
    await openList()
    fireEvent.click(radio('Dietary', 'Vegan'))
    expect(shownIds()).toEqual(['thattai', 'pickle'])
    fireEvent.click(radio('Price', '₹101 - ₹200'))
    expect(shownIds()).toEqual(['pickle'])
    fireEvent.click(radio('Category', 'Savouries'))
    expect(shownIds()).toEqual([])
    expect(location.search).toBe('?category=savouries&diet=vegan&price=101-200')
  })

  test('show the number of results beside each choice', async () => {
    await openList()
    fireEvent.click(radio('Dietary', 'Vegan'))
    const described = radio('Category', 'Pickles').getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe('1')
  })

  test('are shown as chips, and a click on a chip removes its filter', async () => {
    await openList({ query: '?category=pickles&diet=vegan&q=lemon' })
    for (const label of ['“lemon”', 'Pickles']) {
      fireEvent.click(screen.getByRole('button', { name: `Remove filter: ${label}` }))
    }
    expect(location.search).toBe('?diet=vegan')
    expect(shownIds()).toEqual(['thattai', 'pickle'])
  })

  test("'Clear all' removes all filters but keeps the sorting", async () => {
    await openList({ query: '?category=pickles&diet=vegan&sort=price-high' })
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

  test('of an empty shop say that its products come soon', async () => {
    await openList({ prebuilt: [], products: () => Response.json([]) })
    expect(await screen.findByText('Our first products will be here soon.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Clear all filters' })).toBeNull()
  })

  test('ignore a category that does not exist', async () => {
    await openList({ query: '?category=pizza' })
    expect(radio('Category', 'All')).toHaveProperty('checked', true)
    expect(shownIds()).toEqual(PRODUCT_IDS)
  })
})

describe('Product list: sorting', () => {
  test('sorts by price, ascending or descending, and by rating', async () => {
    await openList()
    const sort = screen.getByRole('combobox', { name: 'Sort by' })
    fireEvent.change(sort, { target: { value: 'price-high' } })
    expect(shownIds()).toEqual(PRODUCT_IDS.toReversed())
    fireEvent.change(sort, { target: { value: 'rating' } })
    expect(shownIds()[0]).toBe('pak')
    expect(location.search).toBe('?sort=rating')
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
