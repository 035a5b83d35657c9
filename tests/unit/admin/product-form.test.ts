import { describe, expect, test } from 'vitest'
import { findConflictingFields, pickEdits } from '#lib/admin/form.ts'
import {
  EMPTY_PRODUCT,
  extractProductFields,
  formatProductField,
  parsePrice,
  parseProductForm,
  parseStock,
  toNewSizeValues,
  toProductChange,
  toProductFormValues,
  validateProduct
} from '#lib/admin/product-form.ts'
import { ProductFields, type AdminProduct } from '#lib/contract/catalog.ts'

const HALWA: AdminProduct = {
  _id: 'halwa',
  id: 'halwa',
  name: 'Halwa',
  nameTamil: 'அல்வா',
  description: 'Amber.',
  price: 220.5,
  sale: null,
  image: 'halwa-1.jpg',
  extraImages: [],
  category: 'sweets',
  dietary: 'vegetarian',
  rating: 4.8,
  stock: 34,
  pictures: [{ key: 'halwa-1', width: 900, height: 900, alt: 'A leaf of halwa', color: '#804020' }],
  ingredients: ['Samba wheat', 'Ghee (milk)'],
  quantity: { value: 250, unit: 'g', type: 'weight' },
  shelfLife: '20 days',
  version: 3,
  hiddenAt: null,
  createdAt: '2026-11-21T04:00:00.000Z',
  collections: [],
  isReferred: false,
  waiting: 0
}
const editedFields = (change: Partial<ReturnType<typeof parseProductForm>>) => ({
  ...extractProductFields(HALWA),
  ...change
})

describe('Product form', () => {
  test('sends the original values if nothing was edited', () => {
    const fields = parseProductForm(toProductFormValues(HALWA), HALWA.pictures)
    expect(pickEdits(extractProductFields(HALWA), fields)).toEqual({})
    expect(ProductFields.safeParse(fields).success).toBe(true)
  })

  test('reports every field that the API would refuse', () => {
    expect(Object.keys(validateProduct(EMPTY_PRODUCT))).toEqual([
      'name',
      'category',
      'price',
      'description',
      'ingredients',
      'shelfLife'
    ])
    expect(validateProduct(toProductFormValues(HALWA))).toEqual({})
  })

  test('reads what kitchen and delivery need, and refuses numbers that are none', () => {
    const values = {
      ...toProductFormValues(HALWA),
      shelfLifeDays: ' 20 ',
      kitchenUnits: '3',
      localOnly: 'yes'
    }
    expect(parseProductForm(values, [])).toMatchObject({
      shelfLifeDays: 20,
      kitchenUnits: 3,
      localOnly: true
    })
    const wrong = { ...values, shelfLifeDays: '0', kitchenUnits: '', extraLeadDays: '61' }
    expect(Object.keys(validateProduct(wrong))).toEqual([
      'shelfLifeDays',
      'kitchenUnits',
      'extraLeadDays'
    ])
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
  test('are merged: the form sends only the edited fields, with the current version and stock', () => {
    const current = { ...HALWA, version: 5, stock: 30, shelfLife: '9 days' }
    const edits = pickEdits(extractProductFields(HALWA), editedFields({ price: 230, stock: 40 }))
    expect(toProductChange(current, edits)).toEqual({
      version: 5,
      price: 230,
      stock: { from: 30, to: 40 }
    })
  })

  test('are reported only for fields that both administrators changed to different values', () => {
    const theirs = { ...HALWA, price: 240, name: 'Wheat Halwa', shelfLife: '9 days' }
    expect(
      findConflictingFields(
        extractProductFields(HALWA),
        extractProductFields(theirs),
        editedFields({ price: 230, name: 'Wheat Halwa', description: 'Glossy.' })
      )
    ).toEqual(['price'])
    expect(
      findConflictingFields(
        extractProductFields(HALWA),
        extractProductFields(theirs),
        editedFields({ description: 'Glossy.' })
      )
    ).toEqual([])
  })
})

test('A new pack size starts with the texts of the other one, but without its price, stock and sale', () => {
  const sale = { price: 200, from: '2026-11-20T18:30:00.000Z', until: '2026-11-25T18:30:00.000Z' }
  const values = toNewSizeValues({ ...HALWA, hiddenAt: '2026-11-20T00:00:00.000Z', sale })
  expect(values).toMatchObject({
    name: 'Halwa',
    description: 'Amber.',
    price: '',
    stock: '0',
    visible: 'yes'
  })
  expect(values).toMatchObject({
    'quantity.value': '',
    'sale.price': '',
    'sale.from': '',
    'sale.until': ''
  })
})
