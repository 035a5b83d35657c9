import { describe, expect, test } from 'vitest'
import {
  toProductChange,
  conflictingProductFields,
  fieldsOfProduct,
  editedProductFields
} from '#lib/admin/product-changes.ts'
import {
  EMPTY_PRODUCT,
  productProblems,
  parsePrice,
  parseStock,
  toFields,
  valuesOfProduct,
  formatProductField
} from '#lib/admin/product-form.ts'
import { ProductFields, type AdminProduct } from '#lib/contract/admin/products.ts'

const HALWA: AdminProduct = {
  ...{ _id: 'halwa', id: 'halwa', name: 'Halwa', nameTamil: 'அல்வா', description: 'Amber.', price: 220.5 },
  ...{ image: 'halwa-1.jpg', extraImages: [], category: 'sweets', dietary: 'vegetarian', rating: 4.8, stock: 34 },
  pictures: [{ key: 'halwa-1', width: 900, height: 900, alt: 'A leaf of halwa', color: '#804020' }],
  ingredients: ['Samba wheat', 'Ghee (milk)'],
  quantity: { value: 250, unit: 'g', type: 'weight' },
  shelfLife: '20 days',
  ...{ version: 3, hiddenAt: null, createdAt: '2026-11-21T04:00:00.000Z', isReferred: false }
}
const typed = (change: Partial<ReturnType<typeof toFields>>) => ({ ...fieldsOfProduct(HALWA), ...change })

describe('Product form', () => {
  test('sends back the values it was filled with', () => {
    const fields = toFields(valuesOfProduct(HALWA), HALWA.pictures)
    expect(editedProductFields(HALWA, fields)).toEqual([])
    expect(ProductFields.safeParse(fields).success).toBe(true)
  })

  test('reports every field that the API would refuse', () => {
    expect(Object.keys(productProblems(EMPTY_PRODUCT))).toEqual([
      'name',
      'price',
      'description',
      'ingredients',
      'shelfLife'
    ])
    expect(productProblems(valuesOfProduct(HALWA))).toEqual({})
  })

  test.for([
    ['180', 180],
    ['₹1,180.50', 1180.5],
    [' 0.99 ', undefined],
    ['1.999', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['10000000', undefined]
  ] as const)('parses the price %j as %j', ([text, price]) => expect(parsePrice(text)).toBe(price))

  test.for([
    ['0', 0],
    [' 12 ', 12],
    ['1.5', undefined],
    ['', undefined],
    ['-1', undefined],
    ['100001', undefined]
  ] as const)('parses the stock %j as %j', ([text, stock]) => expect(parseStock(text)).toBe(stock))

  test('formats values for display', () => {
    expect(formatProductField('price', 220.5)).toBe('₹220.50')
    expect(formatProductField('quantity', { value: 250, unit: 'g' })).toBe('250 g')
    expect(formatProductField('ingredients', ['Rice', 'Salt'])).toBe('Rice, Salt')
    expect(formatProductField('pictures', [])).toBe('none')
    expect(formatProductField('nameTamil', '')).toBe('empty')
  })
})

describe('Conflicting product changes', () => {
  test('sends only edited fields, based on the current version and stock', () => {
    const now = { ...HALWA, version: 5, stock: 30, shelfLife: '9 days' }
    expect(toProductChange(HALWA, now, typed({ price: 230, stock: 40 }))).toEqual({
      version: 5,
      price: 230,
      stock: { from: 30, to: 40 }
    })
  })

  test('conflicts in fields that both sides changed to different values', () => {
    const theirs = { ...HALWA, price: 240, name: 'Wheat Halwa', shelfLife: '9 days' }
    expect(
      conflictingProductFields(HALWA, theirs, typed({ price: 230, name: 'Wheat Halwa', description: 'Glossy.' }))
    ).toEqual(['price'])
    expect(conflictingProductFields(HALWA, theirs, typed({ description: 'Glossy.' }))).toEqual([])
  })
})
