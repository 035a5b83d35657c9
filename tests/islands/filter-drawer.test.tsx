import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { leavePage, openList, PRODUCT_IDS, shownIds } from './product-list-page.tsx'

afterEach(leavePage)

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
