import { isBlank, toProblems, type Problems } from '../account/forms.ts'
import { PRODUCT_LIMITS, type Dietary, type PackUnit } from '../constants.ts'
import type {
  AdminProduct,
  Family,
  PictureUse,
  ProductChange,
  ProductFields,
  Sale
} from '../contract/catalog.ts'
import { formatRupees } from '../money.ts'
import { formatDayAndTime, fromIndianDateTime, toIndianDateTime } from '../time.ts'
import { fieldFormatter } from './form.ts'
import { ADMIN_MESSAGES } from './messages.ts'

export const PRODUCT_LABELS: Readonly<Record<keyof ProductFields | 'stock', string>> = {
  name: 'Name',
  nameTamil: 'Tamil name',
  category: 'Category',
  dietary: 'Dietary',
  price: 'Price',
  stock: 'Stock',
  sale: 'Sale price',
  quantity: 'Pack size',
  description: 'Description',
  ingredients: 'Ingredients',
  shelfLife: 'Shelf life',
  shelfLifeDays: 'Shelf life in days',
  kitchenUnits: 'Kitchen units',
  extraLeadDays: 'Extra days to prepare',
  localOnly: 'Only local delivery',
  allergens: 'Allergens',
  nutrition: 'Nutrition per 100 g',
  pictures: 'Pictures',
  hidden: 'Hidden',
  family: 'Family',
  collections: 'Collections'
}

/** In display order. The names equal those in the server's field errors. */
export const EMPTY_PRODUCT = {
  name: '',
  nameTamil: '',
  category: '',
  dietary: 'vegetarian',
  price: '',
  stock: '0',
  'quantity.value': '250',
  'quantity.unit': 'g',
  description: '',
  ingredients: '',
  shelfLife: '',
  visible: 'yes',
  'sale.price': '',
  'sale.from': '',
  'sale.until': '',
  allergens: '',
  nutrition: '',
  shelfLifeDays: '',
  kitchenUnits: '1',
  extraLeadDays: '0',
  localOnly: 'no'
}
type ProductFormField = keyof typeof EMPTY_PRODUCT
type ProductFormValues = Record<ProductFormField, string>
export const PRODUCT_FORM_FIELDS = Object.keys(EMPTY_PRODUCT) as ProductFormField[]

export function toProductFormValues(product: AdminProduct): ProductFormValues {
  const {
    name,
    nameTamil,
    category,
    dietary,
    price,
    sale,
    stock,
    quantity,
    description,
    ingredients,
    shelfLife
  } = product
  return {
    name,
    nameTamil,
    category,
    dietary,
    description,
    shelfLife,
    price: formatPrice(price),
    stock: String(stock),
    'sale.price': sale ? formatPrice(sale.price) : '',
    'sale.from': sale ? toIndianDateTime(sale.from) : '',
    'sale.until': sale ? toIndianDateTime(sale.until) : '',
    'quantity.value': String(quantity.value),
    'quantity.unit': quantity.unit,
    ingredients: ingredients.join('\n'),
    allergens: product.allergens ?? '',
    nutrition: product.nutrition ?? '',
    shelfLifeDays: String(product.shelfLifeDays ?? ''),
    kitchenUnits: String(product.kitchenUnits ?? 1),
    extraLeadDays: String(product.extraLeadDays ?? 0),
    localOnly: product.localOnly ? 'yes' : 'no',
    visible: product.hiddenAt === null ? 'yes' : 'no'
  }
}

/** The texts are those of the other pack size, and can't be changed here. */
export function toNewSizeValues(product: AdminProduct): ProductFormValues {
  const shared = toProductFormValues({ ...product, stock: 0, sale: null, hiddenAt: null })
  return { ...shared, price: '', 'quantity.value': '' }
}

export function validateProduct(values: ProductFormValues): Problems<ProductFormField> {
  const packValue = Number(values['quantity.value'])
  return toProblems({
    name: isBlank(values.name) && ADMIN_MESSAGES.nameRequired,
    category: values.category === '' && ADMIN_MESSAGES.productCategoryInvalid,
    price: parsePrice(values.price) === undefined && ADMIN_MESSAGES.productPriceInvalid,
    stock: parseStock(values.stock) === undefined && ADMIN_MESSAGES.productStockInvalid,
    ...checkSale(values),
    'quantity.value':
      !(packValue > 0 && packValue <= PRODUCT_LIMITS.packValue) &&
      ADMIN_MESSAGES.productPackInvalid,
    description: isBlank(values.description) && ADMIN_MESSAGES.productDescriptionRequired,
    ingredients: isBlank(values.ingredients) && ADMIN_MESSAGES.productIngredientsRequired,
    shelfLife: isBlank(values.shelfLife) && ADMIN_MESSAGES.productShelfLifeRequired,
    shelfLifeDays:
      !isBlank(values.shelfLifeDays) &&
      !(parseWhole(values.shelfLifeDays, PRODUCT_LIMITS.shelfLifeDays) ?? 0) &&
      ADMIN_MESSAGES.shelfLifeDaysInvalid,
    kitchenUnits:
      parseWhole(values.kitchenUnits, PRODUCT_LIMITS.kitchenUnits) === undefined &&
      ADMIN_MESSAGES.kitchenUnitsInvalid,
    extraLeadDays:
      parseWhole(values.extraLeadDays, PRODUCT_LIMITS.extraLeadDays) === undefined &&
      ADMIN_MESSAGES.extraLeadInvalid
  })
}

/** An empty sale price means that there is no sale. */
function checkSale(values: ProductFormValues): Partial<Record<ProductFormField, string | false>> {
  if (isBlank(values['sale.price'])) return {}
  const salePrice = parsePrice(values['sale.price'])
  const price = parsePrice(values.price)
  const isTooHigh = salePrice !== undefined && price !== undefined && salePrice >= price
  const [from, until] = [
    fromIndianDateTime(values['sale.from']),
    fromIndianDateTime(values['sale.until'])
  ]
  const isTooEarly = from !== undefined && until !== undefined && until <= from
  return {
    'sale.price':
      salePrice === undefined
        ? ADMIN_MESSAGES.salePriceInvalid
        : isTooHigh && ADMIN_MESSAGES.salePriceTooHigh,
    'sale.from': from === undefined && ADMIN_MESSAGES.saleStartInvalid,
    'sale.until':
      until === undefined
        ? ADMIN_MESSAGES.saleEndInvalid
        : isTooEarly && ADMIN_MESSAGES.saleEndTooEarly
  }
}

function parseSale(values: ProductFormValues): Sale | null {
  const price = parsePrice(values['sale.price'])
  const [from, until] = [
    fromIndianDateTime(values['sale.from']),
    fromIndianDateTime(values['sale.until'])
  ]
  return price !== undefined && from !== undefined && until !== undefined
    ? { price, from, until }
    : null
}

function formatPrice(price: number): string {
  return price.toFixed(2).replace(/\.00$/, '')
}

type ProductInput = ProductFields & { stock: number }

export function parseProductForm(
  values: ProductFormValues,
  pictures: readonly PictureUse[]
): ProductInput {
  const unit = values['quantity.unit'] as PackUnit
  return {
    name: values.name.trim(),
    nameTamil: values.nameTamil.trim(),
    category: values.category,
    dietary: values.dietary as Dietary,
    price: parsePrice(values.price) ?? 0,
    stock: parseStock(values.stock) ?? 0,
    sale: parseSale(values),
    quantity: { value: Number(values['quantity.value']), unit },
    description: values.description.trim(),
    ingredients: values.ingredients
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
    shelfLife: values.shelfLife.trim(),
    shelfLifeDays: parseWhole(values.shelfLifeDays, PRODUCT_LIMITS.shelfLifeDays) ?? null,
    kitchenUnits: parseWhole(values.kitchenUnits, PRODUCT_LIMITS.kitchenUnits) ?? 1,
    extraLeadDays: parseWhole(values.extraLeadDays, PRODUCT_LIMITS.extraLeadDays) ?? 0,
    localOnly: values.localOnly === 'yes',
    allergens: values.allergens.trim(),
    nutrition: values.nutrition.trim(),
    pictures: pictures.map(({ key, alt }) => ({ key, alt: alt.trim() })),
    hidden: values.visible !== 'yes'
  }
}

/** Converts '₹1,180.50' to 1180.5. Returns undefined for an invalid price. */
export function parsePrice(typed: string): number | undefined {
  const plain = typed.replace(/[₹,\s]/g, '')
  const price = Number(plain)
  const isInRange = price >= PRODUCT_LIMITS.minPriceRupees && price <= PRODUCT_LIMITS.maxPriceRupees
  return /^\d+(\.\d{1,2})?$/.test(plain) && isInRange ? price : undefined
}

export function parseStock(typed: string): number | undefined {
  return parseWhole(typed, PRODUCT_LIMITS.stock)
}

function parseWhole(typed: string, max: number): number | undefined {
  const plain = typed.trim()
  return /^\d{1,6}$/.test(plain) && Number(plain) <= max ? Number(plain) : undefined
}

export const formatProductField = fieldFormatter({
  price: (price: number) => formatRupees(price),
  sale: ({ price, from, until }: Sale) =>
    `${formatRupees(price)} from ${formatDayAndTime(from)} to ${formatDayAndTime(until)}`,
  quantity: ({ value, unit }: ProductFields['quantity']) => `${value} ${unit}`,
  family: ({ id, position }: Family) => `${id}, position ${position}`,
  pictures: (pictures: PictureUse[]) =>
    pictures.map(({ alt }) => alt || 'picture').join(', ') || 'none'
})

export function extractProductFields(product: AdminProduct): ProductInput {
  return parseProductForm(toProductFormValues(product), product.pictures)
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
