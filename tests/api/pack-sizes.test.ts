import { describe, expect, test } from 'vitest'
import type { AdminProduct, ImportReport, Product } from '#lib/contract/catalog.ts'
import { statusAndCode } from '../support/accounts.ts'
import { openAdminShop, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'

const pakFamily = { family_id: 'mysore-pak' }
const pak = { ...pakFamily, name: 'Mysore Pak', description: 'Crisp.' }
const products = {
  'pak-250': { ...pak, price: 180, pictures: ['pak'] },
  'pak-500': { ...pak, family_position: 1, pack_value: 500, price: 340, pictures: ['pak'] },
  murukku: { pack_value: 100 }
}

const publicProduct = async (shop: AdminShop, id: string): Promise<Product> =>
  (await shop.get(`/products/${id}`)).body as Product
const addSize = (shop: AdminShop, sizeOf: string, value = 100) =>
  shop.createProduct({ sizeOf, quantity: { value, unit: 'g' }, price: 75, stock: 3, pictures: [] })

describe.each(ENGINES)('Pack sizes on %s', engine => {
  test('a change of a shared field changes all pack sizes and their versions, own fields stay', async () => {
    const shop = await openAdminShop(engine, { products })
    const change = {
      version: 1,
      description: 'Sandy.',
      ingredients: ['Ghee (milk)'],
      price: 190,
      kitchenUnits: 4
    }
    expect((await shop.changeProduct('pak-250', change)).status).toBe(200)
    expect(await shop.fetchProduct('pak-500')).toMatchObject({
      description: 'Sandy.',
      ingredients: ['Ghee (milk)'],
      price: 340,
      kitchenUnits: 1,
      version: 2
    })
    await shop.changeProduct('pak-250', {
      version: 2,
      shelfLifeDays: 20,
      localOnly: true,
      allergens: 'Milk'
    })
    expect(await shop.fetchProduct('pak-500')).toMatchObject({
      shelfLifeDays: 20,
      localOnly: true,
      allergens: 'Milk'
    })
    expect(await shop.fetchProduct('murukku')).toMatchObject({
      description: 'Made this morning.',
      version: 1
    })
    expect(await shop.history('pak-500')).toContain(
      'changed {"description":"Crisp.","ingredients":["Rice"]} {"description":"Sandy.","ingredients":["Ghee (milk)"]}'
    )
    const stale = await shop.changeProduct('pak-500', { version: 1, name: 'Pak' })
    expect(statusAndCode(stale)).toBe('409 EDIT_CONFLICT')
  })

  test('a new pack size gets the texts and pictures of the others, and comes last', async () => {
    const shop = await openAdminShop(engine, { products })
    const reply = await addSize(shop, 'pak-250')
    expect([reply.status, reply.body]).toMatchObject([
      201,
      {
        id: 'mysore-pak-100-g',
        name: 'Mysore Pak',
        description: 'Crisp.',
        price: 75,
        stock: 3,
        pictures: [{ key: 'pak-00000000' }],
        family: { id: 'mysore-pak', position: 2 }
      }
    ])
    expect(await publicProduct(shop, 'mysore-pak-100-g')).toMatchObject({
      family: { id: 'mysore-pak' }
    })
  })

  test('the first further pack size makes a family of a product', async () => {
    const shop = await openAdminShop(engine, { products })
    expect((await addSize(shop, 'murukku', 500)).body).toMatchObject({
      family: { id: 'murukku', position: 1 }
    })
    expect(await shop.fetchProduct('murukku')).toMatchObject({
      family: { id: 'murukku', position: 0 },
      version: 2
    })
    await shop.changeProduct('murukku', { version: 2, family: null })
    expect((await addSize(shop, 'murukku', 50)).body).toMatchObject({
      family: { id: 'murukku-2', position: 1 }
    })
  })

  test('the order changes only if it names all pack sizes', async () => {
    const shop = await openAdminShop(engine, { products })
    const order = (id: string, ...ids: string[]) =>
      shop.callAsAdmin(`PUT /admin/products/${id}/sizes`, { ids })
    const ordered = (await order('pak-250', 'pak-500', 'pak-250')).body as AdminProduct[]
    expect(ordered.map(({ id, family }) => [id, family?.position])).toEqual([
      ['pak-500', 0],
      ['pak-250', 1]
    ])
    expect(statusAndCode(await order('pak-250', 'pak-250'))).toBe('409 EDIT_CONFLICT')
    expect(statusAndCode(await order('pak-250', 'pak-500', 'pak-250', 'murukku'))).toBe(
      '409 EDIT_CONFLICT'
    )
    expect(statusAndCode(await order('murukku', 'murukku'))).toBe('409 EDIT_CONFLICT')
  })
})

describe('Pack sizes', () => {
  test('a product that joins a family gets its texts and pictures', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const reply = await shop.changeProduct('murukku', {
      version: 1,
      family: { id: 'mysore-pak', position: 5 }
    })
    expect(reply.body).toMatchObject({
      name: 'Mysore Pak',
      description: 'Crisp.',
      pictures: [{ key: 'pak-00000000' }]
    })
    expect(await shop.fetchProduct('pak-250')).toMatchObject({ version: 1 })
  })

  test('a product without a family has none in the API, and can be taken out of one', async () => {
    const shop = await openAdminShop('sqlite', { products })
    expect(await publicProduct(shop, 'murukku')).not.toHaveProperty('family')
    await shop.changeProduct('pak-500', { version: 1, family: null })
    expect(await publicProduct(shop, 'pak-500')).not.toHaveProperty('family')
    await shop.changeProduct('pak-250', { version: 1, description: 'Soft.' })
    expect(await publicProduct(shop, 'pak-500')).toMatchObject({ description: 'Crisp.' })
  })

  test('that shoppers see differ, also after a change or when a hidden one is shown', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const replies = [
      await addSize(shop, 'pak-250', 500),
      await shop.changeProduct('pak-250', { version: 1, quantity: { value: 500, unit: 'g' } }),
      await shop.changeProduct('pak-250', {
        version: 1,
        quantity: { value: 500, unit: 'g' },
        hidden: true
      }),
      await shop.changeProduct('pak-250', { version: 2, hidden: false }),
      await shop.changeProduct('pak-250', {
        version: 2,
        quantity: { value: 200, unit: 'g' },
        hidden: false
      })
    ]
    const refused = '400 INVALID_INPUT'
    expect(replies.map(statusAndCode)).toEqual([refused, refused, '200', refused, '200'])
    expect(replies[0]?.text).toContain('Another pack size of this product is equal.')
  })

  test('shared pictures can’t all be removed while a pack size is visible', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const reply = await shop.changeProduct('pak-250', { version: 1, pictures: [], hidden: true })
    expect(statusAndCode(reply)).toBe('400 INVALID_INPUT')
    expect((await shop.fetchProduct('pak-250')).hiddenAt).toBeNull()
  })
})

describe('Import of pack sizes', () => {
  const exportCsv = async (shop: AdminShop): Promise<string> =>
    (await shop.callAsAdmin('GET /admin/products/export')).raw.toString()
  const importCsv = async (shop: AdminShop, csv: string, basis?: string): Promise<ImportReport> =>
    (await shop.callAsAdmin('POST /admin/products/import', { csv, basis })).body as ImportReport
  const outcomes = ({ rows }: ImportReport): unknown[] =>
    rows.map(({ line, outcome, problems }) => [
      line,
      outcome,
      ...problems.map(({ label }) => label)
    ])

  test('changes nothing if the export is imported', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const csv = await exportCsv(shop)
    expect(csv).toContain('"mysore-pak","1"')
    expect(outcomes(await importCsv(shop, csv)).map(row => (row as unknown[])[1])).toEqual([
      'same',
      'same',
      'same'
    ])
  })

  test('changes a shared text once for all rows of the family', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const csv = 'Id,Description,Price\npak-250,Sandy.,190\npak-500,Sandy.,350'
    const { basis } = await importCsv(shop, csv)
    expect(outcomes(await importCsv(shop, csv, basis))).toEqual([
      [2, 'changed'],
      [3, 'changed']
    ])
    expect(await shop.fetchProduct('pak-500')).toMatchObject({
      description: 'Sandy.',
      price: 350,
      version: 3
    })
    expect(await shop.history('pak-500')).toHaveLength(2)
  })

  test('reports each row whose text differs from the other pack sizes, or whose size is equal', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const differing = 'Id,Description,Price\npak-250,Sandy.,190\npak-500,Crisp.,350'
    expect(outcomes(await importCsv(shop, differing))).toEqual([
      [2, 'wrong', 'Description'],
      [3, 'changed']
    ])
    const oneOnly = 'Id,Name,Tamil name\npak-250,Pak,பாக்'
    expect(outcomes(await importCsv(shop, oneOnly))).toEqual([[2, 'wrong', 'Name', 'Tamil name']])
    const equal = 'Id,Pack size\npak-250,500'
    expect(outcomes(await importCsv(shop, equal))).toEqual([[2, 'wrong', 'Pack size']])
    const swapped = 'Id,Pack size\npak-250,500\npak-500,250'
    expect(outcomes(await importCsv(shop, swapped)).flat()).toEqual([2, 'changed', 3, 'changed'])
    const joining = 'Id,Family\nmurukku,Mysore Pak'
    expect(outcomes(await importCsv(shop, joining))).toEqual([[2, 'wrong', 'Name', 'Description']])
  })

  test('keeps a product in its family if the cell has no Latin letters', async () => {
    const shop = await openAdminShop('sqlite', { products })
    expect(outcomes(await importCsv(shop, 'Id,Family\npak-500,மைசூர்'))).toEqual([
      [2, 'wrong', 'Family']
    ])
  })

  test('adds several pack sizes of one name, in the order of their position', async () => {
    const shop = await openAdminShop('sqlite', { products: { murukku: {} } })
    const row = (value: number, position: number): string =>
      `,Mixture,savouries,75,9,${value},g,vegan,Gram flour,20 days,Crunchy.,mixture,${position}`
    const csv = [
      'Id,Name,Category,Price,Stock,Pack size,Pack unit,Dietary,Ingredients,Shelf life,Description,Family,Family position',
      row(200, 2),
      row(100, 1),
      row(100, 1)
    ].join('\n')
    const preview = await importCsv(shop, csv)
    expect(outcomes(preview)).toEqual([
      [2, 'new'],
      [3, 'new'],
      [4, 'wrong', 'Name']
    ])
    await importCsv(shop, csv, preview.basis)
    expect((await shop.fetchProduct('mixture-100-g')).family).toEqual({
      id: 'mixture',
      position: 1
    })
    expect(outcomes(await importCsv(shop, csv))).toEqual([
      [2, 'same'],
      [3, 'same'],
      [4, 'wrong', 'Name']
    ])
  })

  test('accepts the label of a category instead of its name', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const report = await importCsv(shop, 'Id,Category\nmurukku,Seer Items')
    expect(report.rows[0]?.changes).toEqual([
      { label: 'Category', before: 'sweets', after: 'seer_items' }
    ])
  })

  test('refuses a category or collection that does not exist, and says where to add it', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const { rows } = await importCsv(
      shop,
      'Id,Category,Collections\npak-250,cakes,\nmurukku,sweets,diwali'
    )
    expect(rows.map(({ problems }) => problems)).toEqual([
      [
        {
          label: 'Category',
          text: 'This category does not exist. Add it under Settings, Categories first.'
        }
      ],
      [
        {
          label: 'Collections',
          text: 'This collection does not exist. Add it under Collections first.'
        }
      ]
    ])
  })
})
