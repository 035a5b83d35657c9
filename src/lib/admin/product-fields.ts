import { DIETARY, DIETARY_LABELS, PACK_UNITS, PRODUCT_LIMITS } from '../constants.ts'
import type {
  AdminProduct,
  Family,
  ProductChange,
  ProductDraft,
  ProductFields,
  Sale
} from '../contract/catalog.ts'
import type { Picture } from '../contract/values.ts'
import { formatRupees } from '../money.ts'
import { type AdminStock, isSaleLower, NO_LIMIT, toLimit } from '../product.ts'
import { formatDayAndTime } from '../time.ts'
import { field, hiddenField, type InputSpec, tamil, timeField, type Typed } from './fields.ts'
import {
  createForm,
  fieldFormatter,
  findProblems,
  parseNumber,
  parseTyped,
  toPictureUse,
  toTyped,
  toValue
} from './field-values.ts'
import { ADMIN_MESSAGES } from './messages.ts'

const PRICE: InputSpec = field('amount', 'price', 'Price', {
  prefix: '₹',
  min: PRODUCT_LIMITS.minPriceRupees,
  max: PRODUCT_LIMITS.maxPriceRupees,
  problem: 'productPriceInvalid'
})
const STOCK: InputSpec = field('whole', 'stock', 'Stock', {
  formLabel: 'Packs in stock',
  max: PRODUCT_LIMITS.stock,
  problem: 'productStockInvalid',
  needs: ['cookedToOrder', 'false']
})
const COOKED_TO_ORDER: InputSpec = field('boolean', 'cookedToOrder', 'Cooked to order', {
  formLabel: 'Stock',
  hint: 'No limit: you cook what is ordered, as much as you can cook in a day.',
  choices: [
    ['true', 'No limit (cooked to order)'],
    ['false', 'A number of packs']
  ]
})
const isOptional = true
const isShared = true

/** In the order of the CSV columns. */
export const PRODUCT_FIELDS: readonly InputSpec[] = [
  field('text', 'name', 'Name', {
    hint: 'Also used for the web address, which can’t be changed later.',
    max: PRODUCT_LIMITS.name,
    problem: 'nameRequired',
    isShared
  }),
  { ...tamil('nameTamil', 'Tamil name'), max: PRODUCT_LIMITS.name, isOptional, isShared },
  field('category', 'category', 'Category', {
    problem: 'productCategoryInvalid',
    isShared
  }),
  PRICE,
  COOKED_TO_ORDER,
  STOCK,
  {
    ...PRICE,
    name: 'sale.price',
    label: 'Sale price',
    formLabel: 'Price in the sale',
    hint: 'Empty: no sale. The usual price is shown struck out.',
    problem: 'salePriceInvalid'
  },
  { ...timeField('sale.from', 'Sale from', 'saleStartInvalid'), formLabel: 'From' },
  { ...timeField('sale.until', 'Sale until', 'saleEndInvalid'), formLabel: 'Until' },
  field('number', 'quantity.value', 'Pack size', {
    min: Number.MIN_VALUE,
    max: PRODUCT_LIMITS.packValue,
    problem: 'productPackInvalid'
  }),
  field('choice', 'quantity.unit', 'Pack unit', {
    choices: PACK_UNITS.map(unit => [unit, unit === 'piece' ? 'pieces' : unit]),
    formLabel: 'Unit'
  }),
  field('choice', 'dietary', 'Dietary', {
    choices: DIETARY.map(dietary => [dietary, DIETARY_LABELS[dietary]]),
    isFilter: true,
    isShared
  }),
  field('lines', 'ingredients', 'Ingredients', {
    hint: 'One per line, with allergens in brackets: Ghee (milk).',
    rows: 6,
    problem: 'productIngredientsRequired',
    isShared
  }),
  field('text', 'shelfLife', 'Shelf life', {
    hint: 'As on the label, e.g. “Best within 20 days of making”.',
    max: PRODUCT_LIMITS.shelfLife,
    problem: 'productShelfLifeRequired',
    isShared
  }),
  field('area', 'description', 'Description', {
    hint: 'The product list shows the first two lines.',
    rows: 4,
    max: PRODUCT_LIMITS.description,
    problem: 'productDescriptionRequired',
    isWide: true,
    isShared
  }),
  hiddenField('In the shop', 'Hidden'),
  field('text', 'family.id', 'Family'),
  field('whole', 'family.position', 'Family position'),
  field('whole', 'shelfLifeDays', 'Shelf life in days', {
    hint: 'For the best-before date, and to warn if a courier takes too long.',
    min: 1,
    max: PRODUCT_LIMITS.shelfLifeDays,
    problem: 'shelfLifeDaysInvalid',
    isOptional,
    isShared
  }),
  field('whole', 'kitchenUnits', 'Kitchen units', {
    hint: 'What a pack takes of the day’s kitchen units, usually 1.',
    formLabel: 'Kitchen units per pack',
    max: PRODUCT_LIMITS.kitchenUnits,
    problem: 'kitchenUnitsInvalid'
  }),
  field('whole', 'extraLeadDays', 'Extra days to prepare', {
    hint: 'In addition to those under Settings, Delivery days.',
    max: PRODUCT_LIMITS.extraLeadDays,
    problem: 'extraLeadInvalid',
    isShared
  }),
  field('boolean', 'localOnly', 'Only local delivery', {
    choices: [
      ['false', 'Also by courier'],
      ['true', 'Only local delivery and pickup']
    ],
    formLabel: 'Delivery',
    isShared
  }),
  field('area', 'allergens', 'Allergens', {
    hint: 'For example: milk, wheat, cashew nuts.',
    rows: 2,
    max: PRODUCT_LIMITS.allergens,
    isOptional,
    isShared
  }),
  field('area', 'nutrition', 'Nutrition per 100 g', {
    hint: 'One value per line: Energy 520 kcal. Labels need it.',
    rows: 5,
    max: PRODUCT_LIMITS.nutrition,
    isOptional,
    isShared
  }),
  field('own', 'pictures', 'Pictures', { isWide: true, isShared })
]

export const PRODUCT_GROUPS: readonly { legend?: string; columns: number; names: string[] }[] = [
  { columns: 2, names: ['name', 'nameTamil', 'category', 'dietary'] },
  { columns: 4, names: ['price', 'quantity.value', 'quantity.unit', 'cookedToOrder', 'stock'] },
  { columns: 2, names: ['description', 'ingredients', 'shelfLife', 'hidden', 'pictures'] },
  {
    legend: 'Sale price (optional)',
    columns: 3,
    names: ['sale.price', 'sale.from', 'sale.until']
  },
  {
    legend: 'Label, kitchen and delivery',
    columns: 2,
    names: ['allergens', 'nutrition', 'shelfLifeDays', 'extraLeadDays', 'localOnly', 'kitchenUnits']
  }
]

export const SHARED_FIELDS: readonly string[] = PRODUCT_FIELDS.flatMap(
  ({ name, isShared: shared }) => (shared ? name : [])
)

export const PRODUCT_DEFAULTS = {
  sale: null,
  family: null,
  shelfLifeDays: null,
  kitchenUnits: 1,
  extraLeadDays: 0,
  localOnly: false,
  allergens: '',
  nutrition: ''
} as const satisfies Partial<ProductFields>

export function listProductSpecs(names: readonly string[]): InputSpec[] {
  return names.flatMap(name => PRODUCT_FIELDS.find(spec => spec.name === name) ?? [])
}

/** Reads '₹1,180.50' as 1180.5. */
export function parsePrice(typed: string): number | undefined {
  return parseNumber(PRICE, typed)
}

export function parseStock(typed: string): number | undefined {
  return parseNumber(STOCK, typed)
}

/** The stock is not versioned, and so no field of its own on the server. */
type ProductInput = ProductFields & Pick<ProductDraft, 'stock'>

export function toProductFields(product: AdminProduct): ProductFields {
  const { stock: _s, cookedToOrder: _c, ...fields } = product
  const given = Object.entries(fields).filter(
    ([name, value]) => name in PRODUCT_FORM.labels && value !== undefined
  )
  const { value, unit } = product.quantity
  return {
    ...PRODUCT_DEFAULTS,
    ...(Object.fromEntries(given) as unknown as ProductFields),
    quantity: { value, unit: unit as ProductFields['quantity']['unit'] },
    pictures: product.pictures.map(toPictureUse),
    hidden: product.hiddenAt !== null
  }
}

const formatField = fieldFormatter({
  price: formatRupees,
  sale: ({ price, from, until }: Sale) =>
    `${formatRupees(price)} from ${formatDayAndTime(from)} to ${formatDayAndTime(until)}`,
  quantity: ({ value, unit }: ProductFields['quantity']) => `${value} ${unit}`,
  family: ({ id, position }: Family) => `${id}, position ${position}`,
  pictures: (pictures: ProductFields['pictures']) =>
    pictures.map(({ alt }) => alt || 'picture').join(', ') || 'none'
})

const SPECS = listProductSpecs(PRODUCT_GROUPS.flatMap(({ names }) => names))

export const PRODUCT_FORM = createForm<AdminProduct, ProductInput>(SPECS, {
  labels: { family: 'Family', collections: 'Collections' },
  format: (name, value) =>
    name === STOCK.name && value === null ? NO_LIMIT : formatField(name, value),
  toFields: product => ({ ...toProductFields(product), stock: toLimit(product) }),
  toTyped: product => {
    const { stock, cookedToOrder = false, pictures } = product
    return toTyped(SPECS, { ...toProductFields(product), stock, cookedToOrder, pictures })
  },
  parse: (typed, before) => {
    const parsed = toValue(parseTyped(SPECS, typed, before)) as ProductInput & AdminStock
    const { cookedToOrder, stock, ...fields } = parsed
    return {
      ...before,
      ...fields,
      stock: cookedToOrder ? null : (stock ?? NaN),
      sale: typed['sale.price'] === '' ? null : (fields.sale ?? null),
      pictures: (typed['pictures'] as readonly Picture[]).map(toPictureUse)
    }
  },
  check: fields => {
    const specs = SPECS.filter(
      ({ name }) =>
        (fields.sale !== null || !name.startsWith('sale.')) &&
        (fields.stock !== null || name !== STOCK.name)
    )
    return {
      ...(fields.sale &&
        fields.sale.until <= fields.sale.from && { 'sale.until': ADMIN_MESSAGES.saleEndTooEarly }),
      ...(!isSaleLower(fields) && { 'sale.price': ADMIN_MESSAGES.salePriceTooHigh }),
      ...findProblems(specs, fields)
    }
  }
})

export const EMPTY_PRODUCT: Typed = toTyped(SPECS, {
  ...PRODUCT_DEFAULTS,
  dietary: 'vegetarian',
  quantity: { value: 250, unit: 'g' },
  cookedToOrder: true,
  hidden: false,
  pictures: []
})

export function toNewSize(product: AdminProduct): Typed {
  const shared = PRODUCT_FORM.toTyped({ ...product, sale: null, hiddenAt: null })
  return { ...shared, price: '', 'quantity.value': '', cookedToOrder: 'true', stock: '' }
}

export function toProductChange(
  latest: AdminProduct,
  { stock, ...edits }: Partial<ProductInput>
): ProductChange {
  return {
    ...edits,
    version: latest.version,
    ...(stock !== undefined && { stock: { from: latest.stock, to: stock } })
  }
}
