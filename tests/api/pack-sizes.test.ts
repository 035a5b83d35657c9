import { describe, expect, test } from 'vitest'
import type { AdminProduct, ImportReport, Product } from '#lib/contract/catalog.ts'
import { expectBody, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { fieldsOf, openAdminShop, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'

const pak = { family_id: 'mysore-pak', name: 'Mysore Pak', description: 'Crisp.' }
const products = {
  'pak-250': { ...pak, price: 180, pictures: ['pak'] },
  'pak-500': { ...pak, family_position: 1, pack_value: 500, price: 340, pictures: ['pak'] },
  murukku: { pack_value: 100 }
}

const addSize = (shop: AdminShop, sizeOf: string, value = 100) =>
  shop.createProduct({ sizeOf, quantity: { value, unit: 'g' }, price: 75, stock: 3, pictures: [] })

describe.each(ENGINES)('Pack sizes on %s', engine => {
  test('a change of a shared field changes all pack sizes and their versions, own fields stay', async () => {
    const shop = await openAdminShop(engine, { products })
    const shared = {
      description: 'Sandy.',
      ingredients: ['Ghee (milk)'],
      shelfLifeDays: 20,
      localOnly: true,
      allergens: 'Milk'
    }
    const change = { ...shared, version: 1, price: 190, kitchenUnits: 4 }
    await expectOk(shop.changeProduct('pak-250', change))
    expect(await shop.fetchProduct('pak-500')).toMatchObject({
      ...shared,
      price: 340,
      kitchenUnits: 1,
      version: 2
    })
    expect(await shop.fetchProduct('murukku')).toMatchObject({
      description: 'Made this morning.',
      version: 1
    })
    expect(await shop.history('pak-500')).toEqual([
      expect.stringMatching(/^changed .*"description":"Crisp.".*"description":"Sandy."/)
    ])
    const stale = await shop.changeProduct('pak-500', { version: 1, name: 'Pak' })
    await expectOutcome(stale, '409 EDIT_CONFLICT')
  })

  test('a new pack size gets the texts and pictures of the others, comes last, and makes a family', async () => {
    const shop = await openAdminShop(engine, { products })
    expect(await addSize(shop, 'pak-250')).toMatchObject({
      status: 201,
      body: {
        id: 'mysore-pak-100-g',
        name: 'Mysore Pak',
        description: 'Crisp.',
        price: 75,
        stock: 3,
        pictures: [{ key: 'pak-00000000' }],
        family: { id: 'mysore-pak', position: 2 }
      }
    })
    await expectBody(addSize(shop, 'murukku', 500), {
      family: { id: 'murukku', position: 1 }
    })
    expect(await shop.fetchProduct('murukku')).toMatchObject({
      family: { id: 'murukku', position: 0 },
      version: 2
    })
    await shop.changeProduct('murukku', { version: 2, family: null })
    await expectBody(addSize(shop, 'murukku', 50), {
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
    for (const reply of [
      await order('pak-250', 'pak-250'),
      await order('pak-250', 'pak-500', 'pak-250', 'murukku'),
      await order('murukku', 'murukku')
    ])
      await expectOutcome(reply, '409 EDIT_CONFLICT')
  })
})

describe('Pack sizes', () => {
  test('a product that joins a family gets its texts and pictures, and keeps them when it leaves', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const readPublic = async () => (await shop.get('/products/murukku')).body as Product
    expect(await readPublic()).not.toHaveProperty('family')
    const family = { id: 'mysore-pak', position: 5 }
    await shop.changeProduct('murukku', { version: 1, family })
    const taken = {
      name: 'Mysore Pak',
      description: 'Crisp.',
      pictures: [{ key: 'pak-00000000' }]
    }
    expect(await readPublic()).toMatchObject({ ...taken, family: { id: 'mysore-pak' } })
    expect(await shop.fetchProduct('pak-250')).toMatchObject({ version: 1 })
    await shop.changeProduct('murukku', { version: 2, family: null })
    await shop.changeProduct('pak-250', { version: 1, description: 'Soft.' })
    expect(await readPublic()).toMatchObject(taken)
    expect(await readPublic()).not.toHaveProperty('family')
  })

  test('that shoppers see differ, also after a change or when a hidden one is shown', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const quantity = { value: 500, unit: 'g' }
    const change = (version: number, fields: object) =>
      shop.changeProduct('pak-250', { version, ...fields })
    const first = await addSize(shop, 'pak-250', 500)
    const replies = [
      first,
      await change(1, { quantity }),
      await change(1, { quantity, hidden: true }),
      await change(2, { hidden: false }),
      await change(2, { quantity: { value: 200, unit: 'g' }, hidden: false })
    ]
    const refused = '400 INVALID_INPUT'
    expect(replies.map(statusAndCode)).toEqual([refused, refused, '200', refused, '200'])
    expect(fieldsOf(first)).toEqual({
      quantity: 'Another pack size of this product is equal. Please enter a different one.'
    })
  })

  test('shared pictures can’t all be removed while a pack size is visible', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const reply = await shop.changeProduct('pak-250', { version: 1, pictures: [], hidden: true })
    await expectOutcome(reply, '400 INVALID_INPUT')
    expect((await shop.fetchProduct('pak-250')).hiddenAt).toBeNull()
  })
})

describe('Import of pack sizes', () => {
  const importCsv = async (shop: AdminShop, csv: string, basis?: string) =>
    (await shop.callAsAdmin('POST /admin/products/import', { csv, basis })).body as ImportReport
  /** Such as `changed` or `wrong Name`. */
  const outcomes = async (shop: AdminShop, csv: string) =>
    (await importCsv(shop, csv)).rows.map(({ outcome, problems }) =>
      [outcome, ...problems.map(({ label }) => label)].join(' ')
    )

  test('changes a shared text once for all rows of the family', async () => {
    const shop = await openAdminShop('sqlite', { products })
    const csv = 'Id,Description,Price\npak-250,Sandy.,190\npak-500,Sandy.,350'
    const { basis } = await importCsv(shop, csv)
    await importCsv(shop, csv, basis)
    expect(await shop.fetchProduct('pak-500')).toMatchObject({
      description: 'Sandy.',
      price: 350,
      version: 3
    })
    expect(await shop.history('pak-500')).toHaveLength(2)
  })

  test('reports each row whose text differs from the other pack sizes, or whose size is equal', async () => {
    const shop = await openAdminShop('sqlite', { products })
    for (const [csv, ...expected] of [
      [
        'Id,Description,Price\npak-250,Sandy.,190\npak-500,Crisp.,350',
        ...['wrong Description', 'changed']
      ],
      ['Id,Name,Tamil name\npak-250,Pak,பாக்', 'wrong Name Tamil name'],
      ['Id,Pack size\npak-250,500', 'wrong Pack size'],
      ['Id,Pack size\npak-250,500\npak-500,250', 'changed', 'changed'],
      ['Id,Family\nmurukku,Mysore Pak', 'wrong Name Description'],
      // No Latin letter is left for the name of the family.
      ['Id,Family\npak-500,மைசூர்', 'wrong Family']
    ] as const)
      expect(await outcomes(shop, csv), csv).toEqual(expected)
  })

  test('adds several pack sizes of one name, in the order of their position', async () => {
    const shop = await openAdminShop('sqlite', { products: { murukku: {} } })
    const row = (value: number, position: number) =>
      `,Mixture,savouries,75,9,${value},g,vegan,Gram flour,20 days,Crunchy.,mixture,${position}`
    const csv = [
      'Id,Name,Category,Price,Stock,Pack size,Pack unit,Dietary,Ingredients,Shelf life,Description,Family,Family position',
      row(200, 2),
      row(100, 1),
      row(100, 1)
    ].join('\n')
    expect(await outcomes(shop, csv)).toEqual(['new', 'new', 'wrong Name'])
    await importCsv(shop, csv, (await importCsv(shop, csv)).basis)
    expect((await shop.fetchProduct('mixture-100-g')).family).toEqual({
      id: 'mixture',
      position: 1
    })
    expect(await outcomes(shop, csv)).toEqual(['same', 'same', 'wrong Name'])
  })
})
