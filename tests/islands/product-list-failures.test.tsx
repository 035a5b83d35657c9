// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { leavePage, openList, SHELF, SHELF_IDS, shown, wire } from './list.tsx'

afterEach(leavePage)

describe('when the products can’t be read', () => {
  test("'Failed to fetch products' stands above the prebuilt list, with a way to try again", async () => {
    const { shop } = await openList({ products: () => Response.json({ code: 'INTERNAL' }, { status: 500 }) })
    expect(await screen.findByText('Failed to fetch products')).toBeTruthy()
    expect(shown()).toEqual(SHELF_IDS)
    shop.products = () => Response.json(wire(SHELF))
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(screen.queryByText('Failed to fetch products')).toBeNull())
  })

  test('the list goes on filtering', async () => {
    await openList({ products: () => Promise.reject(new TypeError('fetch failed')) })
    await screen.findByText('Failed to fetch products')
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'halwa' } })
    expect(shown()).toEqual(['halwa'])
  })

  test.for([
    [{ products: [] }, 'Invalid data format received from server'],
    [[{ hello: 'portal' }], 'Invalid data format']
  ] as const)('what is no list of products is called so: %o', async ([reply, words]) => {
    await openList({ products: () => Response.json(reply) })
    expect(await screen.findByText(words)).toBeTruthy()
  })

  test('an empty shelf is not called the fault of the filters', async () => {
    await openList({ prebuilt: [], products: () => Promise.reject(new TypeError('fetch failed')) })
    await screen.findByText('Failed to fetch products')
    expect(screen.queryByText(/No products found/)).toBeNull()
  })
})
