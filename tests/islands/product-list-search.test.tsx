import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeCard } from '../support/cards.ts'
import {
  leavePage,
  openList,
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
  test('filters the list while the shopper is typing', async () => {
    await openList()
    type('mysore ')
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'mysore ')
    expect(shownIds()).toEqual(['pak'])
    expect(status()).toBe('1 product')
  })

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

  test('lists products that contain the text first, in every order', async () => {
    const cards = [
      makeCard('sev', { name: 'Omapodi', price: 40, rating: 5 }),
      makeCard('plate', { name: 'Gift plate', description: 'With a sweet pickle.', price: 900 }),
      ...PRODUCTS
    ]
    await openList({
      prebuilt: cards,
      query: '?q=PICK',
      search: () => Response.json({ ...SEARCH, synonyms: 'pick, omapodi' })
    })
    await waitFor(() => expect(shownIds()).toEqual(['pickle', 'plate', 'sev']))
    for (const [sort, ids] of [
      ['price-low', ['pickle', 'plate', 'sev']],
      ['price-high', ['plate', 'pickle', 'sev']],
      ['rating', ['plate', 'pickle', 'sev']]
    ] as const) {
      fireEvent.change(screen.getByRole('combobox', { name: 'Sort by' }), {
        target: { value: sort }
      })
      expect(shownIds()).toEqual(ids)
    }
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
  })

  test('is stored in the URL when a filter is selected', async () => {
    await openList()
    type('pickle')
    fireEvent.click(radio('Dietary', 'Vegan'))
    expect(location.search).toBe('?q=pickle&diet=vegan')
  })
})
