import { DIETARY, PACK_UNITS, PRODUCT_LIMITS } from '../constants.ts'
import type {
  AdminProduct,
  Family,
  ProductChange,
  ProductDraft,
  ProductFields,
  Sale
} from '../contract/catalog.ts'
import { t, text } from '../contract/texts.ts'
import type { Picture } from '../contract/values.ts'
import { DIETARY_LABELS } from '../messages.ts'
import { formatRupees } from '../money.ts'
import { type AdminStock, isSaleLower, NO_LIMIT, toLimit } from '../product.ts'
import { formatDayAndTime } from '../time.ts'
import { field, hiddenField, type InputSpec, tamil, timeField, withTranslations } from './fields.ts'
import { findProblems, parseNumber, toPictureUse, toTyped } from './field-values.ts'
import { createForm, fieldFormatter, parseFields } from './record-form.ts'
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
    ['true', text('No limit (cooked to order)')],
    ['false', text('A number of packs')]
  ]
})
const isShared = true
const SHARED_TEXT = { isShared, isTranslated: true } as const

/** In the order of the CSV columns. */
export const PRODUCT_FIELDS: readonly InputSpec[] = withTranslations([
  field('text', 'name', 'Name', {
    max: PRODUCT_LIMITS.name,
    problem: 'nameRequired',
    isWide: true,
    ...SHARED_TEXT
  }),
  { ...tamil('nameTamil', 'Tamil name', 'Name'), max: PRODUCT_LIMITS.name, isShared },
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
    label: text('Sale price'),
    formLabel: text('Price in the sale'),
    hint: text('Leave empty for no sale.'),
    problem: 'salePriceInvalid'
  },
  { ...timeField('sale.from', 'Sale from', 'saleStartInvalid'), formLabel: text('From') },
  { ...timeField('sale.until', 'Sale until', 'saleEndInvalid'), formLabel: text('Until') },
  field('number', 'quantity.value', 'Pack size', {
    min: Number.MIN_VALUE,
    max: PRODUCT_LIMITS.packValue,
    problem: 'productPackInvalid'
  }),
  field('choice', 'quantity.unit', 'Pack unit', {
    choices: PACK_UNITS.map(unit => [unit, unit === 'piece' ? text('pieces') : unit]),
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
    ...SHARED_TEXT
  }),
  field('text', 'shelfLife', 'Shelf life', {
    hint: 'For example: 10 days.',
    max: PRODUCT_LIMITS.shelfLife,
    ...SHARED_TEXT
  }),
  field('area', 'description', 'Description', {
    hint: 'The product list shows the first two lines.',
    rows: 4,
    max: PRODUCT_LIMITS.description,
    isWide: true,
    ...SHARED_TEXT
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
      ['false', text('Also by courier')],
      ['true', text('Only local delivery and pickup')]
    ],
    formLabel: 'Delivery',
    isShared
  }),
  field('area', 'allergens', 'Allergens', {
    hint: 'The ticks fill this in. Add others, for example mustard.',
    rows: 2,
    max: PRODUCT_LIMITS.allergens,
    isWide: true,
    ...SHARED_TEXT
  }),
  field('area', 'nutrition', 'Nutrition per 100 g', {
    hint: 'One on each line: Energy 520 kcal.',
    rows: 5,
    max: PRODUCT_LIMITS.nutrition,
    ...SHARED_TEXT
  }),
  field('own', 'pictures', 'Pictures', { isWide: true, isShared })
])

export const MAIN_FIELDS = ['name', 'price', 'quantity.value', 'quantity.unit', 'category']

export const FOLDED_FIELDS = [
  {
    title: text('More about it'),
    purpose: text('What customers like to know. You can add it later.'),
    names: [
      ...['nameTamil', 'description', 'ingredients', 'allergens', 'shelfLife', 'dietary', 'hidden'],
      ...['sale.price', 'sale.from', 'sale.until']
    ]
  },
  {
    title: text('Label and kitchen'),
    purpose: text(
      'For the label on the pack, and to plan your days. The usual values are filled in.'
    ),
    names: [
      ...['cookedToOrder', 'stock', 'kitchenUnits', 'extraLeadDays', 'localOnly'],
      ...['nutrition', 'shelfLifeDays']
    ]
  }
]

export const SHARED_FIELDS: readonly string[] = PRODUCT_FIELDS.flatMap(
  ({ name, isShared: shared }) => (shared ? (name.split('.')[0] ?? []) : [])
)

export const PRODUCT_DEFAULTS = {
  sale: null,
  family: null,
  shelfLifeDays: null,
  kitchenUnits: 1,
  extraLeadDays: 0,
  localOnly: false,
  allergens: '',
  nutrition: '',
  translations: {}
} as const satisfies Partial<ProductFields>

export function listProductSpecs(names: readonly string[]): InputSpec[] {
  return names.flatMap(name =>
    PRODUCT_FIELDS.filter(({ name: own, translates = own }) => translates === name)
  )
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
    t('{price} from {from} to {until}', {
      price: formatRupees(price),
      from: formatDayAndTime(from),
      until: formatDayAndTime(until)
    }),
  quantity: ({ value, unit }: ProductFields['quantity']) => `${value} ${unit}`,
  family: ({ id, position }: Family) => t('{id}, position {position}', { id, position }),
  pictures: (pictures: ProductFields['pictures']) =>
    pictures.map(({ alt }) => alt || t('picture')).join(', ') || t('none')
})

const SPECS = listProductSpecs([
  ...['pictures', ...MAIN_FIELDS],
  ...FOLDED_FIELDS.flatMap(({ names }) => names)
])

export const PRODUCT_FORM = createForm<AdminProduct, ProductInput>(SPECS, {
  labels: { family: text('Family'), collections: text('Collections') },
  format: (name, value) =>
    name === STOCK.name && value === null ? t(NO_LIMIT) : formatField(name, value),
  toFields: product => ({ ...toProductFields(product), stock: toLimit(product) }),
  toTyped: product => {
    const { stock, cookedToOrder = false, pictures } = product
    return toTyped(SPECS, { ...toProductFields(product), stock, cookedToOrder, pictures })
  },
  parse: (typed, before) => {
    const parsed = parseFields(SPECS, typed, before) as ProductInput & AdminStock
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
