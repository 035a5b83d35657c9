import * as z from 'zod/mini'
import {
  COLLECTION_LIMITS,
  DIETARY,
  IMPORT_LIMITS,
  PACK_UNITS,
  PRODUCT_LIMITS,
  SETTING_LIMITS
} from '../constants.ts'
import { STOCK_LEVELS } from './names.ts'
import type { Done } from './accounts.ts'
import {
  decimal,
  Instant,
  optionalText,
  PackSize,
  PathId,
  Picture,
  Rupees,
  slugText,
  timeText,
  wholeNumber,
  requiredLine,
  optionalLine,
  type ById,
  type Removal,
  limitedText,
  translationsOf
} from './values.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { text } from './texts.ts'

const { productPackInvalid: packInvalid, productIngredientsRequired } = ADMIN_TEXTS
const positionInvalid = text('Please enter a whole number, 0 or more')

const productPrice = (error: string) =>
  decimal(PRODUCT_LIMITS.minPriceRupees, PRODUCT_LIMITS.maxPriceRupees, error)

export type Sale = z.infer<typeof Sale>
/** The server refuses one that is not below the product's price. */
export const Sale = z
  .object({
    price: productPrice(ADMIN_TEXTS.salePriceInvalid),
    from: timeText(ADMIN_TEXTS.saleStartInvalid),
    until: timeText(ADMIN_TEXTS.saleEndInvalid)
  })
  .check(
    z.refine(({ from, until }) => !(Date.parse(from) >= Date.parse(until)), {
      error: ADMIN_TEXTS.saleEndTooEarly,
      path: ['until']
    })
  )

export type Family = z.infer<typeof Family>
/** Products with the same `id` here are pack sizes of one another. */
export const Family = z.object({
  id: slugText(text('Please write the family in Latin letters, for example mysore-pak')),
  position: z.int(positionInvalid).check(z.nonnegative(positionInvalid))
})

const description = optionalText(PRODUCT_LIMITS.description)
const shelfLife = optionalLine(PRODUCT_LIMITS.shelfLife)
const allergens = optionalText(PRODUCT_LIMITS.allergens)
const nutrition = optionalText(PRODUCT_LIMITS.nutrition)
const ingredients = z
  .array(
    requiredLine(PRODUCT_LIMITS.ingredient, productIngredientsRequired),
    productIngredientsRequired
  )
  .check(z.maxLength(PRODUCT_LIMITS.ingredients))
const name = requiredLine(PRODUCT_LIMITS.name, ADMIN_TEXTS.nameRequired)
const translations = translationsOf({
  ...{ name, description, ingredients },
  ...{ allergens, shelfLife, nutrition }
})

export type Product = z.infer<typeof Product>
export const Product = z.object({
  _id: z.string(),
  id: z.string(),
  name: z.string(),
  nameTamil: z.string(),
  description: z.string(),
  price: Rupees,
  listPrice: z.optional(Rupees),
  saleTime: z.optional(z.object({ from: Instant, until: Instant })),
  image: z.string(),
  extraImages: z.array(z.string()),
  pictures: z.array(Picture),
  category: z.string(),
  dietary: z.enum(DIETARY),
  rating: z.number(),
  /** Packs that an order may take at most, if the product is cooked to order. */
  stock: z.int().check(z.nonnegative()),
  cookedToOrder: z.optional(z.boolean()),
  ingredients: z.array(z.string()),
  quantity: PackSize,
  shelfLife: z.string(),
  shelfLifeDays: z.optional(z.nullable(z.int())),
  family: z.optional(Family),
  allergens: z.optional(z.string()),
  nutrition: z.optional(z.string()),
  localOnly: z.optional(z.boolean()),
  extraLeadDays: z.optional(z.int()),
  translations
})

export type LiveProduct = z.infer<typeof LiveProduct>
export const LiveProduct = z.object({
  id: z.string(),
  price: Rupees,
  listPrice: z.optional(Rupees),
  stock: z.enum(STOCK_LEVELS),
  left: z.optional(z.int()),
  deal: z.optional(z.object({ percent: z.int(), endTime: Instant }))
})

export type LiveCatalog = z.infer<typeof LiveCatalog>
export const LiveCatalog = z.object({ products: z.array(LiveProduct) })

export type SitePicture = z.infer<typeof SitePicture>
export const SitePicture = z.extend(Picture, { name: z.string() })

export const StopQuery = z.object({ token: limitedText(200) })
export const LiveQuery = z.object({ ids: z.optional(limitedText(4000)) })

export type AdminProduct = z.infer<typeof AdminProduct>
/** `price` is always the usual price, and `stock` a number that cooking to order only pauses. */
export const AdminProduct = z.extend(Product, {
  sale: z.nullable(Sale),
  /** Increases with each change, except if only the stock changes. */
  version: z.int(),
  hiddenAt: z.nullable(Instant),
  createdAt: Instant,
  collections: z.array(z.string()),
  /** True if orders or deals use the product, so that it can only be hidden. */
  isReferred: z.boolean(),
  waiting: z.int(),
  kitchenUnits: z.optional(z.int())
})

/** Null: cooked to order, without limit. */
const Stock = z.nullable(wholeNumber(0, PRODUCT_LIMITS.stock, ADMIN_TEXTS.productStockInvalid))

export type PictureUse = z.infer<typeof PictureUse>
export const PictureUse = z.object({
  key: PathId,
  alt: requiredLine(PRODUCT_LIMITS.alt, ADMIN_TEXTS.pictureAltRequired)
})

export type ProductFields = z.infer<typeof ProductFields>
export const ProductFields = z.object({
  name,
  nameTamil: optionalLine(PRODUCT_LIMITS.name),
  description,
  price: productPrice(ADMIN_TEXTS.productPriceInvalid),
  sale: z.optional(z.nullable(Sale)),
  category: requiredLine(SETTING_LIMITS.name, ADMIN_TEXTS.productCategoryInvalid),
  dietary: z.enum(DIETARY, text('Please choose vegetarian or vegan')),
  ingredients,
  quantity: z.object(
    {
      value: z
        .number(packInvalid)
        .check(z.positive(packInvalid), z.maximum(PRODUCT_LIMITS.packValue, packInvalid)),
      unit: z.enum(PACK_UNITS, packInvalid)
    },
    packInvalid
  ),
  shelfLife,
  shelfLifeDays: z.optional(
    z.nullable(wholeNumber(1, PRODUCT_LIMITS.shelfLifeDays, ADMIN_TEXTS.shelfLifeDaysInvalid))
  ),
  kitchenUnits: z.optional(
    wholeNumber(0, PRODUCT_LIMITS.kitchenUnits, ADMIN_TEXTS.kitchenUnitsInvalid)
  ),
  extraLeadDays: z.optional(
    wholeNumber(0, PRODUCT_LIMITS.extraLeadDays, ADMIN_TEXTS.extraLeadInvalid)
  ),
  localOnly: z.optional(z.boolean()),
  allergens: z.optional(allergens),
  nutrition: z.optional(nutrition),
  translations,
  pictures: z.array(PictureUse).check(
    z.maxLength(PRODUCT_LIMITS.pictures),
    z.refine(pictures => new Set(pictures.map(({ key }) => key)).size === pictures.length)
  ),
  hidden: z.boolean(),
  /** A product that joins a family gets its texts and pictures. Null leaves it. */
  family: z.optional(z.nullable(Family)),
  collections: z.optional(z.array(PathId).check(z.maxLength(COLLECTION_LIMITS.collections)))
})

export type ProductDraft = z.infer<typeof ProductDraft>
export const ProductDraft = z.extend(ProductFields, {
  stock: z._default(Stock, null),
  /** Id of the product of which this is another pack size. */
  sizeOf: z.optional(PathId),
  key: z.uuid()
})

export type StockChange = z.infer<typeof StockChange>
/** The number must still be `from`, because orders change it. */
export const StockChange = z.strictObject({ from: z.int(), to: Stock })

export type ProductChange = z.infer<typeof ProductChange>
export const ProductChange = z.extend(z.partial(ProductFields), {
  /** EDIT_CONFLICT if there is a newer one. */
  version: z.int(),
  stock: z.optional(StockChange)
})

export type SizeOrder = z.infer<typeof SizeOrder>
export const SizeOrder = z.object({
  ids: z.array(PathId).check(z.maxLength(COLLECTION_LIMITS.products))
})

export type KitchenProduct = z.infer<typeof KitchenProduct>
export const KitchenProduct = z.pick(AdminProduct, {
  id: true,
  name: true,
  nameTamil: true,
  category: true,
  quantity: true,
  family: true,
  image: true,
  pictures: true,
  stock: true,
  cookedToOrder: true,
  hiddenAt: true
})

export type ProductRemoval = z.infer<typeof ProductRemoval>
export const ProductRemoval = z.object({ outcome: z.enum(['deleted', 'hidden']) })

export const PictureQuery = z.object({ name: z.optional(limitedText(200)) })

export type ImportRow = z.infer<typeof ImportRow>
export const ImportRow = z.object({
  line: z.int(),
  id: z.string(),
  name: z.string(),
  outcome: z.enum(['new', 'changed', 'same', 'wrong', 'skipped']),
  changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
  problems: z.array(z.object({ label: z.string(), text: z.string() })),
  notes: z.optional(z.array(z.string())),
  /** Web addresses of pictures, which are not imported. */
  pictures: z.optional(z.array(z.string()))
})

export type ImportQuestion = z.infer<typeof ImportQuestion>
/** What the file leaves open. `answer` is undefined until one of the choices was sent. */
export const ImportQuestion = z.object({
  id: z.string(),
  text: z.string(),
  choices: z.array(z.tuple([z.string(), z.string()])),
  answer: z.optional(z.string())
})

export type ImportReport = z.infer<typeof ImportReport>
export const ImportReport = z.object({
  rows: z.array(ImportRow),
  /** Nothing can be imported while one has no answer. */
  questions: z.array(ImportQuestion),
  ignored: z.array(z.string()),
  notes: z.array(z.string()),
  basis: z.string(),
  isDone: z.boolean()
})

export type ImportRequest = z.infer<typeof ImportRequest>
export const ImportRequest = z.object({
  csv: z
    .string()
    .check(z.maxLength(IMPORT_LIMITS.characters, ADMIN_TEXTS.importTooLong), z.regex(/^\P{Cs}*$/u)),
  /** By the id of the question. */
  answers: z.optional(z.record(limitedText(200), limitedText(200))),
  /** Of the preview's reply. Without it, nothing is changed. */
  basis: z.optional(limitedText(100))
})

export interface CatalogApi {
  'GET /products': { reply: Product[] }
  'GET /products/{id}': ById<Product>
  'POST /products/{id}/stock-alert': ById<Done>
  'POST /stock-alerts/stop': { query: { token: string }; reply: Done }
  'GET /catalog/live': { query?: { ids?: string }; reply: LiveCatalog }
  'GET /pictures': { reply: SitePicture[] }
  'GET /admin/products': { reply: AdminProduct[] }
  'GET /admin/products/{id}': ById<AdminProduct>
  'POST /admin/products': { body: ProductDraft; reply: AdminProduct }
  'PATCH /admin/products/{id}': ById<AdminProduct, { body: ProductChange }>
  'PUT /admin/products/{id}/sizes': ById<AdminProduct[], { body: SizeOrder }>
  'DELETE /admin/products/{id}': Removal<ProductRemoval>
  'GET /admin/kitchen/products': { reply: KitchenProduct[] }
  'POST /admin/kitchen/products/{id}/stock': ById<KitchenProduct, { body: StockChange }>
  'POST /admin/products/import': { body: ImportRequest; reply: ImportReport }
  'GET /admin/products/export': { reply: Blob }
  'POST /admin/pictures': { query: { name: string }; body: FormData; reply: Picture }
}
