import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import {
  leavePage,
  openList,
  PRODUCTS,
  PRODUCT_IDS,
  SEARCH,
  shownIds,
  toReply
} from './product-list-page.tsx'

afterEach(leavePage)

describe('Product list: loading failures', () => {
  test("shows 'Failed to fetch products' above the prerendered list, with a retry", async () => {
    const { shop } = await openList({
      products: () => Response.json({ code: 'INTERNAL' }, { status: 500 })
    })
    expect(await screen.findByText('Failed to fetch products')).toBeTruthy()
    expect(shownIds()).toEqual(PRODUCT_IDS)
    shop.products = () => Response.json(toReply(PRODUCTS))
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText('Failed to fetch products')).toBeNull())
  })

  test('the prerendered list can still be filtered', async () => {
    await openList({ products: () => Promise.reject(new TypeError('fetch failed')) })
    await screen.findByText('Failed to fetch products')
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'halwa' } })
    expect(shownIds()).toEqual(['halwa'])
  })

  test.for([
    [{ products: [] }, 'Invalid data format received from server'],
    [[{ hello: 'portal' }], 'Invalid data format']
  ] as const)('an error is shown if the API returns %o', async ([reply, message]) => {
    await openList({ products: () => Response.json(reply) })
    expect(await screen.findByText(message)).toBeTruthy()
  })

  test('‘No products found’ is not said of products that could not be loaded', async () => {
    const products = () => Promise.reject(new TypeError('fetch failed'))
    await openList({ total: 40, products, search: () => Response.json(SEARCH) })
    await screen.findByText('Failed to fetch products')
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'jangiri' } })
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('0 products'))
    expect(shownIds()).toEqual([])
    expect(screen.queryByText(/No products found/)).toBeNull()
  })

  test('‘No products found’ is not shown if loading has failed', async () => {
    await openList({ prebuilt: [], products: () => Promise.reject(new TypeError('fetch failed')) })
    await screen.findByText('Failed to fetch products')
    expect(screen.queryByText(/No products found/)).toBeNull()
  })
})
