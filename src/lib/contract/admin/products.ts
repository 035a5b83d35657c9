import * as z from 'zod/mini'
import { IMPORT_LIMITS, PACK_UNITS, PRODUCT_LIMITS } from '../../admin/limits.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { CATEGORIES, DIETARY } from '../../constants.ts'
import { atMost } from '../../messages.ts'
import { Product } from '../catalog.ts'
import { Instant, PathId, trimmed, type Picture } from '../values.ts'

export type AdminProduct = z.infer<typeof AdminProduct>
/** A product as the owner sees it. */
export const AdminProduct = z.extend(Product, {
  /** Rises with each change of anything but the stock. */
  version: z.int(),
  /** Since when visitors don't find it. */
  hiddenAt: z.nullable(Instant),
  createdAt: Instant,
  /** Whether orders or deals speak of it: then it can be hidden, but not removed. */
  isReferred: z.boolean()
})

const { name, description, ingredients, ingredient, shelfLife, minPrice: leastPrice, price, stock, packValue } = PRODUCT_LIMITS

const Stock = z
  .int(ADMIN_MESSAGES.productStockInvalid)
  .check(z.minimum(0, ADMIN_MESSAGES.productStockInvalid), z.maximum(stock, ADMIN_MESSAGES.productStockInvalid))

export type PictureUse = z.infer<typeof PictureUse>
/** A picture of the shop, and what it shows. */
export const PictureUse = z.object({
  key: PathId,
  alt: trimmed(PRODUCT_LIMITS.alt, ADMIN_MESSAGES.pictureAltRequired)
})

export type ProductFields = z.infer<typeof ProductFields>
/** What the owner types of a product; the first picture stands for it everywhere. */
export const ProductFields = z.object({
  name: trimmed(name, ADMIN_MESSAGES.productNameRequired),
  nameTamil: z.string().check(z.trim(), z.maxLength(name, atMost(name))),
  description: trimmed(description, ADMIN_MESSAGES.productDescriptionRequired),
  price: z
    .number(ADMIN_MESSAGES.productPriceInvalid)
    .check(
      z.minimum(leastPrice, ADMIN_MESSAGES.productPriceInvalid),
      z.maximum(price, ADMIN_MESSAGES.productPriceInvalid),
      z.multipleOf(0.01, ADMIN_MESSAGES.productPriceInvalid)
    ),
  category: z.enum(CATEGORIES, ADMIN_MESSAGES.productCategoryInvalid),
  dietary: z.enum(DIETARY, ADMIN_MESSAGES.productDietaryInvalid),
  ingredients: z
    .array(trimmed(ingredient, ADMIN_MESSAGES.productIngredientsRequired), ADMIN_MESSAGES.productIngredientsRequired)
    .check(z.minLength(1, ADMIN_MESSAGES.productIngredientsRequired), z.maxLength(ingredients)),
  /** The size of one pack. */
  quantity: z.object(
    {
      value: z
        .number(ADMIN_MESSAGES.productPackInvalid)
        .check(z.positive(ADMIN_MESSAGES.productPackInvalid), z.maximum(packValue, ADMIN_MESSAGES.productPackInvalid)),
      unit: z.enum(PACK_UNITS, ADMIN_MESSAGES.productPackInvalid)
    },
    ADMIN_MESSAGES.productPackInvalid
  ),
  shelfLife: trimmed(shelfLife, ADMIN_MESSAGES.productShelfLifeRequired),
  pictures: z.array(PictureUse).check(
    z.maxLength(PRODUCT_LIMITS.pictures),
    z.refine(pictures => new Set(pictures.map(({ key }) => key)).size === pictures.length)
  ),
  hidden: z.boolean()
})

export type ProductDraft = z.infer<typeof ProductDraft>
export const ProductDraft = z.extend(ProductFields, {
  stock: Stock,
  /** Of the form: sent again with the same key, it makes no second product. */
  key: z.uuid()
})

export type ProductChange = z.infer<typeof ProductChange>
/** What is not sent stays as it is. */
export const ProductChange = z.extend(z.partial(ProductFields), {
  /** From which the change starts; an older one is refused with EDIT_CONFLICT. */
  version: z.int(),
  /** Shoppers move the stock too: it is changed only while it is what it was. */
  stock: z.optional(z.object({ from: z.int(), to: Stock }))
})

export type ProductRemoval = z.infer<typeof ProductRemoval>
/** What became of a product that was to be deleted: one that orders or deals speak of is hidden. */
export const ProductRemoval = z.object({ outcome: z.enum(['deleted', 'hidden']) })
/** Of the address: text. */
export const RemovalQuery = z.object({ version: z.string().check(z.regex(/^\d{1,15}$/)) })

export const PictureQuery = z.object({
  /** What it shows, for the name of its files. */
  name: z.optional(z.string().check(z.maxLength(200)))
})

export type ImportRow = z.infer<typeof ImportRow>
/** What a row of a table would change. */
export const ImportRow = z.object({
  /** In the file, from 1. */
  line: z.int(),
  /** Empty for a new product, until it is made. */
  id: z.string(),
  name: z.string(),
  what: z.enum(['new', 'changed', 'same', 'wrong']),
  /** As a person reads them. */
  changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
  problems: z.array(z.object({ label: z.string(), text: z.string() }))
})

export type ImportReport = z.infer<typeof ImportReport>
export const ImportReport = z.object({
  rows: z.array(ImportRow),
  /** Columns that mean nothing to the shop. */
  ignored: z.array(z.string()),
  /** Names what was looked at; an import is made only of just that. */
  basis: z.string(),
  isDone: z.boolean()
})

export type ImportRequest = z.infer<typeof ImportRequest>
export const ImportRequest = z.object({
  csv: z.string().check(z.maxLength(IMPORT_LIMITS.characters, ADMIN_MESSAGES.importTooLong)),
  /** Of the look that was taken before; without it this is that look, and nothing changes. */
  basis: z.optional(z.string().check(z.maxLength(100)))
})

interface ProductParams {
  id: string
}

export interface AdminProductsApi {
  'GET /admin/products': { reply: AdminProduct[] }
  'GET /admin/products/{id}': { params: ProductParams; reply: AdminProduct }
  'POST /admin/products': { body: ProductDraft; reply: AdminProduct }
  'PATCH /admin/products/{id}': { params: ProductParams; body: ProductChange; reply: AdminProduct }
  'DELETE /admin/products/{id}': { params: ProductParams; query: { version: string }; reply: ProductRemoval }
  'POST /admin/products/import': { body: ImportRequest; reply: ImportReport }
  'GET /admin/products/export': { reply: Blob }
  'POST /admin/pictures': { query: { name: string }; body: FormData; reply: Picture }
}
