// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { choice, leavePage, manyCards, openList, SHELF, SHELF_IDS, shown, status, wire } from './list.tsx'

afterEach(leavePage)

function type(text: string): void {
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search products' }), { target: { value: text } })
}

/** The browser's Back and Forward: the address changes, then the page is told. */
function travelTo(query: string, state: unknown = null): void {
  history.replaceState(state, '', `/products${query}`)
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
}

describe('the product list', () => {
  test('shows the prebuilt products, the cheapest first, and says how many', async () => {
    await openList()
    expect(shown()).toEqual(SHELF_IDS)
    expect(status()).toBe('4 products')
  })

  test('has today’s prices and products once the shop has answered', async () => {
    const [first, ...rest] = wire(SHELF)
    await openList({ products: () => Response.json([...rest, { ...first, price: 200 }]) })
    await waitFor(() => expect(shown()).toEqual(['pickle', 'pak', 'thattai', 'halwa']))
    expect(screen.getByText('₹200.00')).toBeTruthy()
  })
})

describe('a card', () => {
  const find = (name: string): HTMLElement => {
    const found = screen.getAllByRole('article').find(article => within(article).queryByRole('link', { name }))
    if (!found) throw new Error(`There is no card of ${name}`)
    return found
  }

  test('leads to its product and shows price, pack and price per 100 g', async () => {
    await openList()
    const pak = find('Mysore Pak')
    expect(within(pak).getByRole('link').getAttribute('href')).toBe('/products/pak')
    expect(pak.textContent).toContain('₹180.00250 g₹72.00 / 100 g')
  })

  test("adds to the cart and then says 'In Cart: n'", async () => {
    await openList()
    const pak = find('Mysore Pak')
    expect(within(pak).queryByText(/In Cart/)).toBeNull()
    fireEvent.click(within(pak).getByRole('button', { name: 'Add to Cart: Mysore Pak' }))
    fireEvent.click(within(pak).getByRole('button', { name: 'Add to Cart: Mysore Pak' }))
    expect(within(pak).getByText('In Cart: 2')).toBeTruthy()
  })

  test("of what is sold out says 'Out of Stock' and can't be added", async () => {
    await openList()
    const halwa = find('Tirunelveli Halwa')
    expect(within(halwa).getByText('Out of Stock')).toBeTruthy()
    expect(within(halwa).getByRole('button')).toHaveProperty('disabled', true)
    expect(within(find('Lemon Pickle')).getByText('Few left')).toBeTruthy()
  })
})

describe('filtering', () => {
  test('by category, diet and price, each in the address', async () => {
    await openList()
    fireEvent.click(choice('Dietary', 'Vegan'))
    expect(shown()).toEqual(['thattai', 'pickle'])
    fireEvent.click(choice('Price', '₹101 - ₹200'))
    expect(shown()).toEqual(['pickle'])
    fireEvent.click(choice('Category', 'Savouries'))
    expect(shown()).toEqual([])
    expect(location.search).toBe('?category=savouries&diet=vegan&price=101-200')
  })

  test('says beside each choice how many products it would leave', async () => {
    await openList()
    fireEvent.click(choice('Dietary', 'Vegan'))
    const described = choice('Category', 'Pickles').getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toBe('1')
  })

  test('shows what is chosen as chips that take it back', async () => {
    await openList({ query: '?category=pickles&diet=vegan&q=lemon' })
    for (const label of ['“lemon”', 'Pickles']) {
      fireEvent.click(screen.getByRole('button', { name: `Remove filter: ${label}` }))
    }
    expect(location.search).toBe('?diet=vegan')
    expect(shown()).toEqual(['thattai', 'pickle'])
  })

  test("'Clear all' takes everything back but the order", async () => {
    await openList({ query: '?category=pickles&diet=vegan&sort=price-high' })
    fireEvent.click(screen.getByRole('button', { name: 'Clear all' }))
    expect(location.search).toBe('?sort=price-high')
    expect(shown()).toEqual(SHELF_IDS.toReversed())
  })

  test('that leaves nothing says so, with one way on', async () => {
    await openList({ query: '?q=pizza' })
    expect(screen.getByText('No products found matching your criteria.')).toBeTruthy()
    expect(status()).toBe('0 products')
    expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Clear all filters' }))
    expect(shown()).toEqual(SHELF_IDS)
  })

  test('a category that does not exist is no filter', async () => {
    await openList({ query: '?category=pizza' })
    expect(choice('Category', 'All')).toHaveProperty('checked', true)
    expect(shown()).toEqual(SHELF_IDS)
  })
})

describe('searching', () => {
  test('filters while one types, spaces and all', async () => {
    await openList()
    type('mysore ')
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'mysore ')
    expect(shown()).toEqual(['pak'])
    expect(status()).toBe('1 product')
  })

  test('is written to the address when the typing rests, without an entry of its own', async () => {
    await openList()
    const entries = history.length
    for (const text of ['g', 'gh', 'ghee']) type(text)
    fireEvent.blur(screen.getByRole('searchbox'))
    expect(location.search).toBe('?q=ghee')
    expect(history.length).toBe(entries)
  })

  test('is in the address before the next choice is', async () => {
    await openList()
    type('pickle')
    fireEvent.click(choice('Dietary', 'Vegan'))
    expect(location.search).toBe('?q=pickle&diet=vegan')
  })
})

describe('sorting', () => {
  test('by price, either way, and by rating', async () => {
    await openList()
    const sort = screen.getByRole('combobox', { name: 'Sort by' })
    fireEvent.change(sort, { target: { value: 'price-high' } })
    expect(shown()).toEqual(SHELF_IDS.toReversed())
    fireEvent.change(sort, { target: { value: 'rating' } })
    expect(shown()[0]).toBe('pak')
    expect(location.search).toBe('?sort=rating')
  })
})

describe('Back and Forward', () => {
  test('restore what was chosen and typed', async () => {
    await openList({ query: '?q=pickle' })
    fireEvent.click(choice('Category', 'Sweets'))
    travelTo('?q=halwa')
    expect(shown()).toEqual(['halwa'])
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'halwa')
    expect(choice('Category', 'All')).toHaveProperty('checked', true)
  })
})

describe('a long list', () => {
  test("shows 48 products, and 24 more with each 'Load more', whose first one takes the focus", async () => {
    await openList({ prebuilt: manyCards(80) })
    expect(shown()).toHaveLength(48)
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(shown()).toHaveLength(72)
    expect(document.activeElement?.getAttribute('href')).toBe('/products/p48')
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(shown()).toHaveLength(80)
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('shows as much on Back as was left there', async () => {
    await openList({ prebuilt: manyCards(80) })
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }))
    const left: unknown = history.state
    travelTo('?q=p1')
    travelTo('', left)
    expect(shown()).toHaveLength(72)
  })

  test('of which only a part is prebuilt waits for the rest before it says that nothing was found', async () => {
    const all = manyCards(60)
    let answer: (response: Response) => void = () => undefined
    await openList({
      prebuilt: all.slice(0, 48),
      total: 60,
      query: '?q=p59',
      products: () => new Promise<Response>(resolve => (answer = resolve))
    })
    expect(status()).toBe('Loading products…')
    expect(screen.queryByText(/No products found/)).toBeNull()
    act(() => answer(Response.json(wire(all))))
    await waitFor(() => expect(shown()).toEqual(['p59']))
    expect(status()).toBe('1 product')
  })

  test('says how many there are in all before the rest is there', async () => {
    await openList({ prebuilt: manyCards(48), total: 60 })
    expect(status()).toBe('60 products')
    expect(screen.getByRole('button', { name: 'Load more' })).toHaveProperty('disabled', true)
  })
})
