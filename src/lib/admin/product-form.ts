import type {
  AdminProduct,
  Family,
  ProductChange,
  ProductFields,
  Sale
} from '../contract/catalog.ts'
import type { Picture } from '../contract/values.ts'
import { formatRupees } from '../money.ts'
import { isSaleLower } from '../product.ts'
import { formatDayAndTime } from '../time.ts'
import type { RecordForm, Typed } from './fields.ts'
import {
  findProblems,
  labelsOf,
  parseTyped,
  toPictureUse,
  toTyped,
  toValue,
  fieldFormatter
} from './field-values.ts'
import { ADMIN_MESSAGES } from './messages.ts'
import {
  listProductSpecs,
  PRODUCT_DEFAULTS,
  PRODUCT_FIELDS,
  PRODUCT_GROUPS
} from './product-fields.ts'

const LABELS = { ...labelsOf(PRODUCT_FIELDS), collections: 'Collections' }

/** The stock is not versioned, and so no field of its own on the server. */
type ProductInput = ProductFields & { stock: number }

export function toProductFields(product: AdminProduct): ProductFields {
  const given = Object.entries(product).filter(
    ([name, value]) => name in LABELS && name !== 'stock' && value !== undefined
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

const SPECS = listProductSpecs(PRODUCT_GROUPS.flatMap(({ names }) => names))

export const PRODUCT_FORM: RecordForm<AdminProduct, ProductInput> = {
  specs: SPECS,
  labels: LABELS,
  format: fieldFormatter({
    price: (price: number) => formatRupees(price),
    sale: ({ price, from, until }: Sale) =>
      `${formatRupees(price)} from ${formatDayAndTime(from)} to ${formatDayAndTime(until)}`,
    quantity: ({ value, unit }: ProductFields['quantity']) => `${value} ${unit}`,
    family: ({ id, position }: Family) => `${id}, position ${position}`,
    pictures: (pictures: ProductFields['pictures']) =>
      pictures.map(({ alt }) => alt || 'picture').join(', ') || 'none'
  }),
  toFields: product => ({ ...toProductFields(product), stock: product.stock }),
  toTyped: product => ({
    ...toTyped(SPECS, { ...toProductFields(product), stock: product.stock }),
    pictures: product.pictures
  }),
  parse: (typed, before) => {
    const fields = toValue(parseTyped(SPECS, typed, before)) as ProductInput
    return {
      ...before,
      ...fields,
      sale: typed['sale.price'] === '' ? null : (fields.sale ?? null),
      pictures: (typed['pictures'] as readonly Picture[]).map(toPictureUse)
    }
  },
  check: fields => {
    const specs = SPECS.filter(({ name }) => fields.sale !== null || !name.startsWith('sale.'))
    return {
      ...(fields.sale &&
        fields.sale.until <= fields.sale.from && { 'sale.until': ADMIN_MESSAGES.saleEndTooEarly }),
      ...(!isSaleLower(fields) && { 'sale.price': ADMIN_MESSAGES.salePriceTooHigh }),
      ...findProblems(specs, fields)
    }
  }
}

export const EMPTY_PRODUCT: Typed = {
  ...toTyped(SPECS, {
    ...PRODUCT_DEFAULTS,
    dietary: 'vegetarian',
    quantity: { value: 250, unit: 'g' },
    stock: 0,
    hidden: false
  }),
  pictures: []
}

export function toNewSize(product: AdminProduct): Typed {
  const shared = PRODUCT_FORM.toTyped({ ...product, stock: 0, sale: null, hiddenAt: null })
  return { ...shared, price: '', 'quantity.value': '' }
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
