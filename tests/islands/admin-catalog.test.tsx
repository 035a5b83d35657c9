import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { CollectionDraft } from '#lib/contract/collections.ts'
import type { RecordFormState } from '#islands/admin/ui/use-record-form.ts'
import type { Picture } from '#lib/contract/values.ts'
import { makeCard } from '../support/cards.ts'
import { openPage } from '../support/session.ts'
import { press } from './profile-page.tsx'

afterEach(cleanup)

function makeProduct(id: string, name: string, change: Partial<AdminProduct> = {}): AdminProduct {
  const { picture: _, stock: _stock, ...card } = makeCard(id, { name })
  const texts = { ingredients: ['Rice'], shelfLife: '10 days', pictures: [], extraImages: [] }
  const state = {
    version: 1,
    hiddenAt: null,
    createdAt: '',
    isReferred: false,
    waiting: 0,
    sale: null,
    collections: []
  }
  return { ...card, stock: 20, ...texts, ...state, ...change }
}

const makePak = (id: string, value: number, position: number): AdminProduct =>
  makeProduct(id, 'Mysore Pak', {
    quantity: { value, unit: 'g', type: 'weight' },
    family: { id: 'pak', position }
  })
const PRODUCTS = [
  makePak('pak-250', 250, 0),
  makePak('pak-500', 500, 1),
  makeProduct('murukku', 'Murukku')
]

interface Call {
  line: string
  body: unknown
}

/** Records the calls that change something. */
async function openShop(path: string, reply: (call: Call) => unknown): Promise<Call[]> {
  const calls: Call[] = []
  await openPage({
    path,
    send: async (url, { method = 'GET', body }) => {
      const line = `${method} ${url.replace(/^.*\/api/, '')}`
      if (line === 'GET /admin/products') return Response.json(PRODUCTS)
      const call = {
        line,
        body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined
      }
      if (method !== 'GET') calls.push(call)
      return Response.json(reply(call))
    }
  })
  return calls
}

describe('Pack sizes in the administration', () => {
  const openSizes = async (product: AdminProduct) => {
    const calls = await openShop('/admin/products', ({ body }) => {
      const { ids } = body as { ids: string[] }
      return ids.map((id, position) => ({
        ...PRODUCTS.find(size => size.id === id),
        family: { id: 'pak', position }
      }))
    })
    const { loadProducts } = await import('#lib/stores/admin/products.ts')
    const { PackSizes } = await import('#islands/admin/records/ProductEditor.tsx')
    await loadProducts()
    render(<PackSizes product={product} />)
    return calls
  }
  const sizeNames = () =>
    screen.getAllByRole('listitem').map(item => within(item).getByRole('link').textContent)

  test('are listed with links, and can be moved', async () => {
    const calls = await openSizes(makePak('pak-250', 250, 0))
    expect(sizeNames()).toEqual(['250 g', '500 g'])
    expect(screen.getByRole('link', { name: '250 g' }).getAttribute('aria-current')).toBe('page')
    expect(screen.getByRole('link', { name: '500 g' }).getAttribute('href')).toBe(
      '?product=pak-500'
    )
    await press('Move 500 g up')
    await waitFor(() => expect(sizeNames()).toEqual(['500 g', '250 g']))
    expect(calls).toEqual([
      { line: 'PUT /admin/products/pak-250/sizes', body: { ids: ['pak-500', 'pak-250'] } }
    ])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move 500 g down')
  })

  test('can be moved again before the first move is saved, one request after the other', async () => {
    const calls = await openSizes(makePak('pak-250', 250, 0))
    fireEvent.click(screen.getByRole('button', { name: 'Move 500 g up' }))
    fireEvent.click(screen.getByRole('button', { name: 'Move 500 g down' }))
    expect(sizeNames()).toEqual(['250 g', '500 g'])
    await waitFor(() => expect(calls).toHaveLength(2))
    expect(calls[1]?.body).toEqual({ ids: ['pak-250', 'pak-500'] })
    expect(sizeNames()).toEqual(['250 g', '500 g'])
  })

  test('of a product with one size are not listed, but can be added', async () => {
    await openSizes(makeProduct('murukku', 'Murukku'))
    expect(screen.queryByRole('list')).toBeNull()
    expect(screen.getByRole('link', { name: 'Add a pack size' }).getAttribute('href')).toBe(
      '?product=%2B&size-of=murukku'
    )
  })
})

const toName = ({ name }: File): string => name

describe('A new collection', () => {
  test('is saved with the chosen products in their order; pack sizes are chosen together', async () => {
    const calls = await openShop('/admin/collections', ({ body }) => ({
      ...(body as CollectionDraft),
      id: 'diwali'
    }))
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
    expect(calls).toEqual([])
    expect(screen.getByText('Please enter a name')).toBeTruthy()
    expect(screen.getByText('Please choose products, or keep the collection hidden')).toBeTruthy()

    expect(document.activeElement).toBe(screen.getByLabelText('Name'))
    fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'Diwali' } })
    await press('Save collection')
    const search = screen.getByRole('searchbox', { name: 'Add a product' })
    expect(document.activeElement).toBe(search)
    fireEvent.change(search, { target: { value: 'm' } })
    await press('Add Murukku, 250 g')
    fireEvent.change(search, { target: { value: 'mysore' } })
    expect(screen.getAllByRole('button', { name: /^Add / })).toHaveLength(1)
    await press('Add Mysore Pak')
    fireEvent.change(search, { target: { value: 'pak' } })
    expect(screen.getByText('No products found.')).toBeTruthy()
    await press('Move Mysore Pak up')
    await press('Save collection')
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls).toMatchObject([
      {
        line: 'POST /admin/collections',
        body: { name: 'Diwali', products: ['pak-250', 'murukku'], hidden: false }
      }
    ])
  })
})

describe('Import of products', () => {
  test('tells what it does, and shows an error if the server can’t be reached', async () => {
    let isOffline = false
    const row = {
      line: 2,
      id: 'murukku',
      name: 'Murukku',
      outcome: 'changed',
      changes: [],
      problems: []
    }
    const calls = await openShop('/admin/products', () => {
      if (isOffline) throw new TypeError('fetch failed')
      return { rows: [row], ignored: ['Colour'], isDone: false, basis: 'b-1' }
    })
    const { ImportTable } = await import('#islands/admin/records/ImportTable.tsx')
    render(<ImportTable />)
    const file = new File(['Id,Price\nmurukku,90'], 'products.csv')
    fireEvent.change(screen.getByLabelText('Choose a file'), { target: { files: [file] } })
    expect(screen.getByRole('status').textContent).toBe('Reading the file…')
    await screen.findByText('1 to update, 0 new, 0 unchanged. Unknown columns ignored: Colour.')
    isOffline = true
    fireEvent.click(screen.getByRole('button', { name: 'Import 1 product' }))
    expect(screen.getByRole('status').textContent).toBe('Importing…')
    await screen.findByText('The import failed.')
    expect(calls).toHaveLength(3)
  })
})

test('A stock that was refused is not saved by leaving the field, but by Enter', async () => {
  const { QuickField } = await import('#islands/admin/records/QuickField.tsx')
  const { ShopError } = await import('#lib/errors.ts')
  const saved: number[] = []
  const save = async (stock: number): Promise<void> => {
    saved.push(stock)
    throw new ShopError('EDIT_CONFLICT', { message: 'The stock has changed to 15.' })
  }
  const texts = {
    column: 'stock',
    label: 'Stock',
    value: '20',
    inputMode: 'numeric',
    invalidMessage: ''
  } as const
  render(<QuickField {...texts} parse={Number} save={save} />)
  const field = screen.getByLabelText('Stock')
  fireEvent.change(field, { target: { value: '25' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await screen.findByText('The stock has changed to 15.')
  fireEvent.blur(field)
  expect(saved).toEqual([25])
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(saved).toEqual([25, 25])
})

test('A picture that moves to the first or last place keeps the focus on one of its buttons', async () => {
  await openShop('/admin/products', () => ({}))
  const { ProductPictures } = await import('#islands/admin/ui/PictureFields.tsx')
  const saved = ['Bowl', 'Box'].map(alt => ({
    key: `${alt}.png`,
    alt,
    width: 400,
    height: 400,
    color: '#fff'
  }))
  const Editor = () => {
    const [list, onChange] = useState<readonly Picture[]>(saved)
    const form = {
      typed: { name: 'Murukku', pictures: list },
      change: (_, pictures) => onChange(pictures as readonly Picture[]),
      setUploading: () => undefined
    } satisfies Partial<RecordFormState> as unknown as RecordFormState
    return <ProductPictures form={form} />
  }
  render(<Editor />)
  await press('Move picture 2 of 2 up')
  expect(screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value)).toEqual([
    'Box',
    'Bowl'
  ])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move picture 1 of 2 down')
})

test('A pasted picture is added, but not the picture that Excel adds to copied text', async () => {
  const { PictureDrop } = await import('#islands/admin/ui/PictureDrop.tsx')
  const added: string[] = []
  render(
    <PictureDrop
      legend="Pictures"
      chooseLabel="Choose"
      hint=""
      onAdd={files => added.push(...[...files].map(toName))}
    >
      {null}
    </PictureDrop>
  )
  const paste = (name: string, ...types: string[]) => {
    const files = [new File([''], name, { type: 'image/png' })]
    fireEvent.paste(document.body, { clipboardData: { files, types: ['Files', ...types] } })
  }
  paste('cells.png', 'text/plain', 'text/html')
  paste('laddu.png', 'text/html')
  expect(added).toEqual(['laddu.png'])
})

test('A product keeps a category that no longer exists until another one is chosen', async () => {
  await openShop('/admin/products', () => undefined)
  const { ProductForm } = await import('#islands/admin/records/ProductEditor.tsx')
  const categories = [{ name: 'snacks', label: 'Snacks' }]
  const product = makeProduct('laddu', 'Laddu', { category: 'old' })
  const ignore = (): void => undefined
  render(
    <ProductForm
      draftName="product laddu"
      item={product}
      read={async () => product}
      categories={categories}
      onAdded={ignore}
      onReset={ignore}
    />
  )
  const options = screen.getByLabelText<HTMLSelectElement>('Category').selectedOptions
  expect([...options].map(({ text }) => text)).toEqual(['old (no longer exists)'])
})
