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
import { field, hiddenField, type InputSpec, tamil, timeField } from './fields.ts'
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
  problem: 'productPriceInvalid',
  isWide: true
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
const isShared = true

/** In the order of the CSV columns. */
export const PRODUCT_FIELDS: readonly InputSpec[] = [
  field('text', 'name', 'Name', {
    max: PRODUCT_LIMITS.name,
    problem: 'nameRequired',
    isWide: true,
    isShared
  }),
  { ...tamil('nameTamil', 'Tamil name'), max: PRODUCT_LIMITS.name, isShared },
  field('category', 'category', 'Category', {
    problem: 'productCategoryInvalid',
    isWide: true,
    hasChips: true,
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
    hint: 'Leave empty for no sale.',
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
    hint: 'One on each line. Begin with what you use most.',
    rows: 4,
    isWide: true,
    isShared
  }),
  field('text', 'shelfLife', 'Shelf life', {
    hint: 'For example: 10 days.',
    max: PRODUCT_LIMITS.shelfLife,
    isShared
  }),
  field('area', 'description', 'Description', {
    hint: 'The product list shows the first two lines.',
    rows: 4,
    max: PRODUCT_LIMITS.description,
    isWide: true,
    isShared
  }),
  hiddenField('In the shop', 'Hidden'),
  field('text', 'family.id', 'Family'),
  field('whole', 'family.position', 'Family position'),
  field('whole', 'shelfLifeDays', 'Shelf life in days', {
    hint: 'Filled in from the shelf life, for “best before” and for the courier.',
    min: 1,
    max: PRODUCT_LIMITS.shelfLifeDays,
    problem: 'shelfLifeDaysInvalid',
    isOptional: true,
    isShared
  }),
  field('whole', 'kitchenUnits', 'Kitchen units', {
    hint: '1 is normal, 2 is twice as much.',
    formLabel: 'How much work is one pack?',
    max: PRODUCT_LIMITS.kitchenUnits,
    problem: 'kitchenUnitsInvalid'
  }),
  field('whole', 'extraLeadDays', 'Extra days to prepare', {
    hint: '0 is normal. 2 if it takes two days longer than your other products.',
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
    hint: 'The ticks fill this in. Add others, for example mustard.',
    rows: 2,
    max: PRODUCT_LIMITS.allergens,
    isWide: true,
    isShared
  }),
  field('area', 'nutrition', 'Nutrition per 100 g', {
    hint: 'One on each line: Energy 520 kcal.',
    rows: 5,
    max: PRODUCT_LIMITS.nutrition,
    isShared
  }),
  field('own', 'pictures', 'Pictures', { isWide: true, isShared })
]

export const MAIN_FIELDS = ['name', 'price', 'quantity.value', 'quantity.unit', 'category']

export const FOLDED_FIELDS = [
  {
    title: 'More about it',
    purpose: 'What customers like to know. You can add it later.',
    names: [
      ...['description', 'ingredients', 'allergens', 'shelfLife', 'dietary', 'nameTamil', 'hidden'],
      ...['sale.price', 'sale.from', 'sale.until']
    ]
  },
  {
    title: 'Label and kitchen',
    purpose: 'For the label on the pack, and to plan your days. The usual values are filled in.',
    names: [
      ...['cookedToOrder', 'stock', 'kitchenUnits', 'extraLeadDays', 'localOnly'],
      ...['nutrition', 'shelfLifeDays']
    ]
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

const SPECS = listProductSpecs([
  ...['pictures', ...MAIN_FIELDS],
  ...FOLDED_FIELDS.flatMap(({ names }) => names)
])

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
      pictures: (typed['pictures'] as readonly Picture[]).map(({ key, alt }) =>
        toPictureUse({ key, alt: ['', before?.name].includes(alt.trim()) ? fields.name : alt })
      )
    }
  },
  check: fields => {
    const specs = SPECS.filter(
      ({ name }) =>
        (fields.sale !== null || !name.startsWith('sale.')) &&
        (fields.stock !== null || name !== STOCK.name)
    )
    return {
      ...(!fields.hidden &&
        fields.pictures.length === 0 && { pictures: ADMIN_MESSAGES.productPictureMissing }),
      ...(fields.sale &&
        fields.sale.until <= fields.sale.from && { 'sale.until': ADMIN_MESSAGES.saleEndTooEarly }),
      ...(!isSaleLower(fields) && { 'sale.price': ADMIN_MESSAGES.salePriceTooHigh }),
      ...findProblems(specs, fields)
    }
  }
})

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
