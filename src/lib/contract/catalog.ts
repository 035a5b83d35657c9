import * as z from 'zod/mini'
import { CATEGORIES, DIETARY } from '../constants.ts'
import { STOCK_LEVELS } from '../stock.ts'
import { Instant, PackSize, PathId, Picture, Rupees } from './values.ts'

export type Product = z.infer<typeof Product>
export const Product = z.object({
  _id: z.string(),
  id: z.string(),
  name: z.string(),
  nameTamil: z.string(),
  description: z.string(),
  price: Rupees,
  image: z.string(),
  extraImages: z.array(z.string()),
  pictures: z.array(Picture),
  category: z.enum(CATEGORIES),
  dietary: z.enum(DIETARY),
  rating: z.number(),
  stock: z.int().check(z.nonnegative()),
  ingredients: z.array(z.string()),
  quantity: PackSize,
  shelfLife: z.string()
})

export type LiveProduct = z.infer<typeof LiveProduct>
export const LiveProduct = z.object({
  id: z.string(),
  price: Rupees,
  stock: z.enum(STOCK_LEVELS),
  left: z.optional(z.int()),
  deal: z.optional(z.object({ percent: z.int(), endTime: Instant }))
})

export type LiveCatalog = z.infer<typeof LiveCatalog>
export const LiveCatalog = z.object({ products: z.array(LiveProduct) })

export type SitePicture = z.infer<typeof SitePicture>
export const SitePicture = z.extend(Picture, {
  name: z.string()
})

export const ProductPath = z.object({ id: PathId })
export const LiveQuery = z.object({
  ids: z.optional(z.string().check(z.maxLength(4000)))
})

export interface CatalogApi {
  'GET /products': { reply: Product[] }
  'GET /products/{id}': { params: { id: string }; reply: Product }
  'GET /catalog/live': { query?: { ids?: string }; reply: LiveCatalog }
  'GET /pictures': { reply: SitePicture[] }
}
