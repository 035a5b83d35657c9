import { describe, expect, test } from 'vitest'
import { pickEdits } from '#lib/admin/field-values.ts'
import { parsePrice, parseStock, PRODUCT_FORM, toProductChange } from '#lib/admin/product-fields.ts'
import {
  EMPTY_PRODUCT,
  findAllergens,
  toNewProduct,
  toNewSize,
  withSuggestions
} from '#lib/admin/product-suggestions.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { type AdminProduct, ProductFields } from '#lib/contract/catalog.ts'
import { decodeTable, importProducts } from '#lib/stores/admin/products.ts'

const HALWA: AdminProduct = {
  ...{ _id: 'halwa', id: 'halwa', name: 'Halwa', nameTamil: 'அல்வா', description: 'Amber.' },
  ...{ price: 220.5, sale: null, image: 'halwa-1.jpg', extraImages: [], category: 'sweets' },
  ...{ dietary: 'vegetarian', rating: 4.8, stock: 34, shelfLife: '20 days', version: 3 },
  ...{ hiddenAt: null, createdAt: '2026-11-21T04:00:00.000Z', collections: [], waiting: 0 },
  isReferred: false,
  pictures: [{ key: 'halwa-1', width: 900, height: 900, alt: 'A leaf of halwa', color: '#804020' }],
  ingredients: ['Samba wheat', 'Ghee (milk)'],
  quantity: { value: 250, unit: 'g', type: 'weight' }
}
const { parse, toFields, toTyped } = PRODUCT_FORM
const check = (typed: Typed) => PRODUCT_FORM.check?.(parse(typed), typed) ?? {}
const editedFields = (change: Partial<ReturnType<typeof parse>>) => ({
  ...toFields(HALWA),
  ...change
})

describe('Product form', () => {
  test('sends the original values if nothing was edited', () => {
    const fields = parse(toTyped(HALWA), toFields(HALWA))
    expect(pickEdits(toFields(HALWA), fields)).toEqual({})
    expect(ProductFields.safeParse(fields).success).toBe(true)
  })

  test('reports every field that the API would refuse', () => {
    const required = ['pictures', 'name', 'price', 'category']
    expect(Object.keys(check(EMPTY_PRODUCT))).toEqual(required)
    expect(check(toTyped(HALWA))).toEqual({})
  })

  test('asks for a number of packs only if the product is not cooked to order, and keeps it', () => {
    const cooked = toTyped({ ...HALWA, cookedToOrder: true })
    expect(parse(cooked)).toMatchObject({ stock: null })
    expect(parse({ ...cooked, cookedToOrder: 'false' })).toMatchObject({ stock: 34 })
    const [number, problems] = [{ cookedToOrder: 'false', stock: '' }, check(EMPTY_PRODUCT)]
    expect(check({ ...EMPTY_PRODUCT, ...number })).toHaveProperty('stock')
    expect(problems).not.toHaveProperty('stock')
  })

  test('reads what kitchen and delivery need, and refuses numbers that are none', () => {
    const kitchen = { shelfLifeDays: ' 20 ', kitchenUnits: '3', localOnly: 'true' }
    const values = { ...toTyped(HALWA), ...kitchen }
    expect(parse(values)).toMatchObject({ shelfLifeDays: 20, kitchenUnits: 3, localOnly: true })
    const wrong = { ...values, shelfLifeDays: '0', kitchenUnits: '', extraLeadDays: '61' }
    const refused = ['extraLeadDays', 'kitchenUnits', 'shelfLifeDays']
    expect(Object.keys(check(wrong)).toSorted()).toEqual(refused)
  })

  test.for([
    ['180', 180],
    ['₹1,180.50', 1180.5],
    [' 0.99 ', undefined],
    ['1.999', undefined],
    ['-5', undefined],
    ['10000000', undefined]
  ] as const)('parses the price %j as %j', ([text, price]) => expect(parsePrice(text)).toBe(price))

  test.for([
    ['0', 0],
    [' 12 ', 12],
    ['1.5', undefined],
    ['-1', undefined],
    ['100001', undefined]
  ] as const)('parses the stock %j as %j', ([text, stock]) => expect(parseStock(text)).toBe(stock))
})

test('A product form sends only the edited fields, with the current version and stock', () => {
  const current = { ...HALWA, version: 5, stock: 30, shelfLife: '9 days' }
  const edits = pickEdits(toFields(HALWA), editedFields({ price: 230, stock: 40 }))
  expect(toProductChange(current, edits)).toEqual({
    version: 5,
    price: 230,
    stock: { from: 30, to: 40 }
  })
})

test('A new pack size starts with the texts of the other one, but without its price, stock and sale', () => {
  const sale = { price: 200, from: '2026-11-20T18:30:00.000Z', until: '2026-11-25T18:30:00.000Z' }
  const values = toNewSize({ ...HALWA, hiddenAt: '2026-11-20T00:00:00.000Z', sale })
  const kept = { name: 'Halwa', description: 'Amber.' }
  const noSale = { 'sale.price': '', 'sale.from': '', 'sale.until': '' }
  const state = {
    price: '',
    cookedToOrder: 'true',
    stock: '',
    hidden: 'false',
    'quantity.value': ''
  }
  expect(values).toMatchObject({ ...kept, ...noSale, ...state })
})

describe('A new product', () => {
  test('is of the same category and size as the last one, if the category still exists', () => {
    const products = [HALWA, { ...HALWA, createdAt: '2026-11-20', category: 'old' }]
    const size = { 'quantity.value': '250', 'quantity.unit': 'g' }
    expect(toNewProduct(products, [{ name: 'sweets' }])).toMatchObject({
      ...{ ...size, category: 'sweets', name: '', price: '' }
    })
    expect(toNewProduct(products, [])).toMatchObject({ ...size, category: '' })
  })

  test('describes its pictures by its name, unless somebody wrote another text', () => {
    const [photo] = HALWA.pictures
    const pictures = ['', 'Halwa', 'A leaf of halwa'].map(alt => ({ ...photo, alt }))
    const typed = { ...toTyped({ ...HALWA, name: 'Wheat halwa' }), pictures }
    const alts = parse(typed, toFields(HALWA)).pictures.map(({ alt }) => alt)
    expect(alts).toEqual(['Wheat halwa', 'Wheat halwa', 'A leaf of halwa'])
  })

  test.for([
    ['10 days', '10'],
    ['Best within 7-10 days of making', '7'],
    ['2 weeks', '14'],
    ['3 Months in a dry place', '90'],
    ['soon', '']
  ] as const)('reads the shelf life %j as %j days', ([text, shelfLifeDays]) => {
    const typed = { ...EMPTY_PRODUCT, shelfLife: '5 days', shelfLifeDays: '5' }
    expect(withSuggestions(typed, 'shelfLife', text)).toEqual({ shelfLife: text, shelfLifeDays })
    const own = { ...typed, shelfLifeDays: '4' }
    expect(withSuggestions(own, 'shelfLife', text)).toEqual({ shelfLife: text })
  })

  test.for([
    ['Kadalai maavu\nNei\nSakkarai', ['milk']],
    ['Maida, Cashews, GHEE', ['milk', 'nuts', 'wheat']],
    ['Coconut milk, rice rava, nutmeg, coconut', []],
    ['Sooji\nபால்\nellu\nGroundnuts\nSoya', ['milk', 'peanuts', 'wheat', 'sesame', 'soy']]
  ] as const)('with the ingredients %j contains %j', ([text, allergens]) => {
    expect(findAllergens(text)).toEqual(allergens)
  })

  test('gets allergens with its ingredients, and keeps those that were ticked or written', () => {
    const type = (typed: Typed, ingredients: string) => ({
      ...typed,
      ...withSuggestions(typed, 'ingredients', ingredients)
    })
    const first = type({ ...EMPTY_PRODUCT, allergens: 'mustard and soy' }, 'Ghee')
    expect(first['allergens']).toBe('mustard, soy, milk')
    const second = type({ ...first, allergens: 'mustard, soy' }, 'Ghee\nMaida')
    expect(second['allergens']).toBe('mustard, soy, wheat')
    expect(type(second, 'Ghee')['allergens']).toBe('mustard, soy')
  })
})

test.for([
  ['UTF-8', Buffer.from('Id,பெயர்'), 'Id,பெயர்'],
  ['UTF-16', Buffer.from('\uFEFFId,பெயர்', 'utf16le'), 'Id,பெயர்'],
  ['UTF-16 without a mark', Buffer.from('Id,பெயர்', 'utf16le'), 'Id,பெயர்'],
  ['Windows-1252', Buffer.from('Crème', 'latin1'), 'Crème'],
  ['Mac Roman', Buffer.from('Cr\x8fme\rX', 'latin1'), 'Crème\rX']
] as const)('a table file in %s is decoded', ([, bytes, text]) => {
  expect(decodeTable(new Uint8Array(bytes)).replace('\uFEFF', '')).toBe(text)
})

test('a large table file is refused before it is sent', async () => {
  const csv = 'x'.repeat(1_000_001)
  await expect(importProducts({ csv })).rejects.toThrow('The file is too large. Split it')
})
