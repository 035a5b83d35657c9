import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { CollectionDraft } from '#lib/contract/collections.ts'
import { makeCard } from '../support/cards.ts'
import { openAdminPage } from '../support/session.ts'
import { expectLink, expectShown, press, waitForUpdates } from '../support/page-input.ts'

afterEach(cleanup)

function makeProduct(id: string, name: string, change: Partial<AdminProduct> = {}) {
  const { picture: _, stock: _stock, ...card } = makeCard(id, { name })
  const texts = { ingredients: ['Rice'], shelfLife: '10 days', pictures: [], extraImages: [] }
  const state = { version: 1, hiddenAt: null, createdAt: '', isReferred: false, waiting: 0 }
  return { ...card, stock: 20, sale: null, collections: [], ...texts, ...state, ...change }
}

const makePak = (id: string, value: number, position: number) =>
  makeProduct(id, 'Mysore Pak', {
    quantity: { value, unit: 'g', type: 'weight' },
    family: { id: 'pak', position }
  })
const PRODUCTS = [
  makePak('pak-250', 250, 0),
  makePak('pak-500', 500, 1),
  makeProduct('murukku', 'Murukku')
]

const GET_PRODUCTS = { 'GET /admin/products': PRODUCTS }

describe('Pack sizes in the administration', () => {
  const openSizes = async (product: AdminProduct) => {
    const page = await openAdminPage('/admin/products', {
      ...GET_PRODUCTS,
      'PUT /admin/products/pak-250/sizes': () => {
        const { ids } = page.bodies.at(-1) as { ids: string[] }
        const sizes = ids.map(id => PRODUCTS.find(size => size.id === id))
        return Response.json(
          sizes.map((size, position) => ({ ...size, family: { id: 'pak', position } }))
        )
      }
    })
    const { loadProducts } = await import('#lib/stores/admin/products.ts')
    const { PackSizes } = await import('#islands/admin/records/ProductEditor.tsx')
    await loadProducts()
    render(<PackSizes product={product} />)
    return page
  }
  const sizeNames = () =>
    screen.getAllByRole('listitem').map(item => within(item).getByRole('link').textContent)

  test('are listed with links, and can be moved again before a move is saved', async () => {
    const { bodies } = await openSizes(makePak('pak-250', 250, 0))
    expect(sizeNames()).toEqual(['250 g', '500 g'])
    expect(screen.getByRole('link', { name: '250 g' }).getAttribute('aria-current')).toBe('page')
    expectLink('500 g', '?product=pak-500')
    await press('Move 500 g up')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move 500 g down')
    expect(sizeNames()).toEqual(['500 g', '250 g'])
    // Without waiting for the reply to the first of these moves.
    fireEvent.click(screen.getByRole('button', { name: 'Move 500 g down' }))
    fireEvent.click(screen.getByRole('button', { name: 'Move 500 g up' }))
    await waitFor(() => expect(bodies).toHaveLength(3))
    expect(bodies).toEqual([
      { ids: ['pak-500', 'pak-250'] },
      { ids: ['pak-250', 'pak-500'] },
      { ids: ['pak-500', 'pak-250'] }
    ])
    expect(sizeNames()).toEqual(['500 g', '250 g'])
  })
})

test('A new product is saved when its photo has arrived, like the last one, and a photo of a form that was left is in its draft', async () => {
  const upload = { finish: () => undefined as unknown }
  class SlowUpload {
    upload = {}
    status = 201
    responseText = JSON.stringify({ key: 'p-1', width: 9, height: 9, alt: '', color: '' })
    onload = () => undefined
    open() {}
    setRequestHeader() {}
    send() {
      upload.finish = () => this.onload()
    }
  }
  vi.stubGlobal('XMLHttpRequest', SlowUpload)
  const { bodies, toastTexts } = await openAdminPage('/admin/products?product=%2B', {
    ...GET_PRODUCTS,
    'POST /admin/products': () => Response.json(makeProduct('kesari', 'Kesari'))
  })
  const { ProductsPage } = await import('#islands/admin/records/ProductsPage.tsx')
  render(<ProductsPage categories={[{ name: 'sweets', label: 'Sweets' }]} />)
  const choose = await screen.findByLabelText(/^Choose from your gallery/)
  fireEvent.change(choose, { target: { files: [new File(['x'], 'IMG.jpg')] } })
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Kesari' } })
  await press('Save and add another')
  expect(screen.getByRole('button', { name: 'Waiting for the picture…' })).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Price'), { target: { value: '90' } })
  upload.finish()
  await waitFor(() => expect(toastTexts()[0]?.[0]).toBe('Kesari was added.'))
  expect(bodies).toMatchObject([
    {
      ...{ name: 'Kesari', price: 90, category: 'sweets', stock: null, description: '' },
      pictures: [{ key: 'p-1', alt: 'Kesari' }],
      quantity: { value: 250, unit: 'g' }
    }
  ])
  expect(screen.getByLabelText('Name')).toHaveProperty('value', '')
  const chooseNext = screen.getByLabelText(/^Choose from your gallery/)
  fireEvent.change(chooseNext, { target: { files: [new File(['x'], 'IMG.jpg')] } })
  await waitForUpdates()
  cleanup()
  upload.finish()
  await waitForUpdates()
  render(<ProductsPage categories={[]} />)
  await screen.findByText(/We restored your unsaved draft/)
  expect(screen.getByLabelText('Edit description of picture 1 of 1')).toBeTruthy()
})

test('A new collection is saved with the chosen products in their order; each in one of its pack sizes', async () => {
  const { bodies } = await openAdminPage('/admin/collections', {
    ...GET_PRODUCTS,
    'POST /admin/collections': () =>
      Response.json({ ...(bodies.at(-1) as CollectionDraft), id: 'diwali' })
  })
  const { CollectionForm } = await import('#islands/admin/records/CollectionsPage.tsx')
  render(
    <CollectionForm
      draftName="collection +"
      item={undefined}
      read={() => Promise.reject(new Error('not stored'))}
      onReset={() => undefined}
    />
  )
  await press('Save collection')
  expect(bodies).toEqual([])
  expectShown('Please enter a name', 'Please choose products, or keep the collection hidden')

  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'Diwali' } })
  await press('Save collection')
  const search = screen.getByRole('searchbox', { name: 'Add a product' })
  expect(document.activeElement).toBe(search)
  fireEvent.change(search, { target: { value: 'm' } })
  expect(screen.getAllByRole('button', { name: /^Add / })).toHaveLength(3)
  await press('Add Murukku, 250 g')
  fireEvent.change(search, { target: { value: 'mysore' } })
  await press('Add Mysore Pak, 500 g')
  await press('Move Mysore Pak up')
  await press('Save collection')
  await waitFor(() => expect(bodies).toHaveLength(1))
  expect(bodies).toMatchObject([
    { name: 'Diwali', products: ['pak-500', 'murukku'], hidden: false }
  ])
})

test('A stock that was refused is not saved by leaving the field, but by Enter', async () => {
  const { QuickField } = await import('#islands/admin/records/QuickField.tsx')
  const { ShopError } = await import('#lib/errors.ts')
  const saved: number[] = []
  const save = async (stock: number) => {
    saved.push(stock)
    throw new ShopError('EDIT_CONFLICT', { message: 'The stock has changed to 15.' })
  }
  const texts = { column: 'stock', label: 'Stock', value: '20', invalidMessage: '' } as const
  render(<QuickField {...texts} inputMode="numeric" parse={Number} save={save} />)
  const field = screen.getByLabelText('Stock')
  fireEvent.change(field, { target: { value: '25' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await screen.findByText('The stock has changed to 15.')
  fireEvent.blur(field)
  expect(saved).toEqual([25])
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(saved).toEqual([25, 25])
})
