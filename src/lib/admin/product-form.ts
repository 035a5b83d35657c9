import type { Problems } from '../account/forms.ts'
import { PRODUCT_LIMITS, type CategoryName, type Dietary, type PackUnit } from '../constants.ts'
import type { AdminProduct, PictureUse, ProductChange, ProductFields } from '../contract/catalog.ts'
import { findConflictingFields, findEditedFields } from './form.ts'
import { ADMIN_MESSAGES } from './messages.ts'

/** Fields in display order. The names equal those in the server's field errors. */
export const PRODUCT_FORM_FIELDS = [
  'name',
  'nameTamil',
  'category',
  'dietary',
  'price',
  'stock',
  'quantity.value',
  'quantity.unit',
  'description',
  'ingredients',
  'shelfLife',
  'visible'
] as const
export type ProductFormField = (typeof PRODUCT_FORM_FIELDS)[number]
export type ProductFormValues = Record<ProductFormField, string>

export const PRODUCT_LABELS: Readonly<Record<keyof ProductFields | 'stock', string>> = {
  name: 'Name',
  nameTamil: 'Tamil name',
  category: 'Category',
  dietary: 'Dietary',
  price: 'Price',
  stock: 'Stock',
  quantity: 'Pack size',
  description: 'Description',
  ingredients: 'Ingredients',
  shelfLife: 'Shelf life',
  pictures: 'Pictures',
  hidden: 'Hidden'
}

export const EMPTY_PRODUCT: ProductFormValues = {
  name: '',
  nameTamil: '',
  category: 'sweets',
  dietary: 'vegetarian',
  price: '',
  stock: '0',
  'quantity.value': '250',
  'quantity.unit': 'g',
  description: '',
  ingredients: '',
  shelfLife: '',
  visible: 'yes'
}

export function toProductFormValues(product: AdminProduct): ProductFormValues {
  const { name, nameTamil, category, dietary, price, stock, quantity, description, ingredients, shelfLife } = product
  return {
    name,
    nameTamil,
    category,
    dietary,
    description,
    shelfLife,
    price: price.toFixed(2).replace(/\.00$/, ''),
    stock: String(stock),
    'quantity.value': String(quantity.value),
    'quantity.unit': quantity.unit,
    ingredients: ingredients.join('\n'),
    visible: product.hiddenAt === null ? 'yes' : 'no'
  }
}

export function validateProduct(values: ProductFormValues): Problems<ProductFormField> {
  const packValue = Number(values['quantity.value'])
  return {
    ...(values.name.trim() === '' && { name: ADMIN_MESSAGES.productNameRequired }),
    ...(parsePrice(values.price) === undefined && { price: ADMIN_MESSAGES.productPriceInvalid }),
    ...(parseStock(values.stock) === undefined && { stock: ADMIN_MESSAGES.productStockInvalid }),
    ...(!(packValue > 0 && packValue <= PRODUCT_LIMITS.packValue) && {
      'quantity.value': ADMIN_MESSAGES.productPackInvalid
    }),
    ...(values.description.trim() === '' && { description: ADMIN_MESSAGES.productDescriptionRequired }),
    ...(splitLines(values.ingredients).length === 0 && { ingredients: ADMIN_MESSAGES.productIngredientsRequired }),
    ...(values.shelfLife.trim() === '' && { shelfLife: ADMIN_MESSAGES.productShelfLifeRequired })
  }
}

type ProductInput = ProductFields & { stock: number }

export function parseProductForm(values: ProductFormValues, pictures: readonly PictureUse[]): ProductInput {
  const unit = values['quantity.unit'] as PackUnit
  return {
    name: values.name.trim(),
    nameTamil: values.nameTamil.trim(),
    category: values.category as CategoryName,
    dietary: values.dietary as Dietary,
    price: parsePrice(values.price) ?? 0,
    stock: parseStock(values.stock) ?? 0,
    quantity: { value: Number(values['quantity.value']), unit },
    description: values.description.trim(),
    ingredients: splitLines(values.ingredients),
    shelfLife: values.shelfLife.trim(),
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
  const plain = typed.trim()
  return /^\d{1,6}$/.test(plain) && Number(plain) <= PRODUCT_LIMITS.stock ? Number(plain) : undefined
}

export function formatProductField(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (field === 'price') return `₹${Number(value).toFixed(2)}`
  if (field === 'quantity')
    return Object.values(value as object)
      .slice(0, 2)
      .join(' ')
  if (field === 'pictures') return (value as PictureUse[]).map(({ alt }) => alt || 'picture').join(', ') || 'none'
  if (field === 'hidden') return value === true ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

export function extractProductFields(product: AdminProduct): ProductInput {
  return parseProductForm(toProductFormValues(product), product.pictures)
}

export function findEditedProductFields(original: AdminProduct, typed: ProductInput): (keyof ProductInput)[] {
  return findEditedFields(extractProductFields(original), typed)
}

export function toProductChange(original: AdminProduct, current: AdminProduct, typed: ProductInput): ProductChange {
  const names = findEditedProductFields(original, typed)
  const { stock: _, ...fields } = Object.fromEntries(names.map(name => [name, typed[name]])) as Partial<ProductInput>
  return {
    ...fields,
    version: current.version,
    ...(names.includes('stock') && { stock: { from: current.stock, to: typed.stock } })
  }
}

export function findConflictingProductFields(
  original: AdminProduct,
  current: AdminProduct,
  typed: ProductInput
): (keyof ProductInput)[] {
  return findConflictingFields(extractProductFields(original), extractProductFields(current), typed)
}
