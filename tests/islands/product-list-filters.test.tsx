import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeCard } from '../support/cards.ts'
import {
  leavePage,
  openList,
  PRODUCT_IDS,
  PRODUCTS,
  radio,
  SEARCH,
  shownIds,
  status
} from './product-list-page.tsx'

// Parts of the list are loaded when they are needed.
configure({ asyncUtilTimeout: 5000 })
afterEach(leavePage)

const search = (): Response => Response.json(SEARCH)

function type(text: string): void {
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
    expect(screen.getByRole('link', { name: 'Call +91 431 400 1234' }).getAttribute('href')).toBe(
      'tel:+914314001234'
    )
    expect(screen.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')).toMatch(
      /^https:\/\/wa\.me\/919876543210\?text=.*birthday\+halwa/
    )
    fireEvent.click(spelling)
    expect(location.search).toBe('?q=halwa')
    expect(shownIds()).toEqual(['halwa'])
  })

  test('that finds nothing is reported once the shopper has stopped typing', async () => {
    const { reports } = await openList({ search })
    type('piz')
    await screen.findByRole('heading', { name: 'Bestsellers' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      for (const text of ['pizz', 'pizza']) type(text)
      await vi.advanceTimersByTimeAsync(1999)
      expect(reports).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
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
})

function openDrawer(name: RegExp | string = 'Filters') {
  fireEvent.click(screen.getByRole('button', { name }))
  const drawer = within(screen.getByRole('dialog', { name: 'Filters' }))
  const apply = () => drawer.getByRole('button', { name: 'Apply Filters' })
  return {
    ...drawer,
    apply,
    radio: (group: string, name: string) =>
      within(drawer.getByRole('group', { name: group })).getByRole('radio', { name }),
    resultText: () =>
      document.getElementById(apply().getAttribute('aria-describedby') ?? '')?.textContent
  }
}

describe('Filter drawer', () => {
  test("shows the number of results, but changes the list only on 'Apply Filters'", async () => {
    await openList()
    const drawer = openDrawer()
    fireEvent.click(drawer.radio('Dietary', 'Vegan'))
    fireEvent.click(drawer.radio('Category', 'Pickles'))
    expect(shownIds()).toEqual(PRODUCT_IDS)
    expect(drawer.resultText()).toBe('Shows 1 product')
    fireEvent.click(drawer.apply())
    expect(shownIds()).toEqual(['pickle'])
    expect(location.search).toBe('?category=pickles&diet=vegan')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('discards its choices if it is closed without applying', async () => {
    await openList()
    const drawer = openDrawer()
    fireEvent.click(drawer.radio('Dietary', 'Vegan'))
    fireEvent.click(drawer.getByRole('button', { name: 'Close' }))
    expect(shownIds()).toEqual(PRODUCT_IDS)
    expect(openDrawer().radio('Dietary', 'All')).toHaveProperty('checked', true)
  })

  test('shows the active filters when it opens, and the Filters button shows their number', async () => {
    await openList({ query: '?category=pickles&diet=vegan' })
    const drawer = openDrawer('Filters (2)')
    expect(drawer.radio('Category', 'Pickles')).toHaveProperty('checked', true)
    fireEvent.click(drawer.getByRole('button', { name: 'Clear all' }))
    expect(drawer.resultText()).toBe('Shows 4 products')
    fireEvent.click(drawer.apply())
    expect(shownIds()).toEqual(PRODUCT_IDS)
  })

  test('closes on a click outside, but not at the end of a drag that began inside', async () => {
    await openList()
    openDrawer()
    const dialog = screen.getByRole('dialog')
    const press = (target: Element): void => {
      fireEvent.pointerDown(target)
      fireEvent.click(dialog)
    }
    press(screen.getByRole('heading', { name: 'Filters' }))
    expect(screen.getByRole('dialog')).toBe(dialog)
    press(dialog)
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
