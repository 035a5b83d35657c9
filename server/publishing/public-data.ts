import type { LiveProduct, Product, SitePicture } from '#lib/contract/catalog.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import type { DiscountedProduct, FlashDeal } from '#lib/contract/deals.ts'
import { fromRupees, toRupees } from '#lib/money.ts'
import { applyDiscount } from '#lib/pricing.ts'
import { toStockLevel } from '#lib/stock.ts'
import type { Db } from '../platform/db/tables.ts'
import { listProducts } from '../catalog/queries.ts'
import { listPosts, listSitePictures } from '../content/queries.ts'
import { listRunningDeals, type DealRow } from '../deals/queries.ts'

export interface PublicData {
  products(): Promise<readonly Product[]>
  productById(): Promise<ReadonlyMap<string, Product>>
  liveProducts(): Promise<readonly LiveProduct[]>
  deals(): Promise<readonly DiscountedProduct[]>
  flashDeals(): Promise<readonly Omit<FlashDeal, 'serverTime'>[]>
  posts(): Promise<readonly BlogPost[]>
  pictures(): Promise<readonly SitePicture[]>
}

type Deal = DealRow & { product: Product }

export function createPublicData(db: Db, now: number): PublicData {
  const products = cacheResult(() => listProducts(db))
  const productById = cacheResult(async () => new Map((await products()).map(product => [product.id, product])))
  const deals = cacheResult(async () => {
    const rows = await listRunningDeals(db, new Date(now).toISOString())
    const byId = await productById()
    return rows.flatMap(row => {
      const product = byId.get(row.product_id)
      return product ? [{ ...row, product }] : []
    })
  })
  return {
    products,
    productById,
    liveProducts: async () => toLiveProducts(await products(), await deals()),
    deals: async () => (await deals()).map(toDiscounted),
    flashDeals: async () => (await deals()).map(toFlashDeal),
    posts: cacheResult(() => listPosts(db)),
    pictures: cacheResult(() => listSitePictures(db))
  }
}

function toLiveProducts(products: readonly Product[], deals: readonly Deal[]): LiveProduct[] {
  const dealByProduct = new Map(deals.map(deal => [deal.product_id, deal]))
  return products.map(({ id, price, stock }) => {
    const level = toStockLevel(stock)
    const deal = dealByProduct.get(id)
    return {
      id,
      price,
      stock: level,
      ...(level === 'low' && { left: stock }),
      ...(deal && { deal: { percent: deal.percent, endTime: deal.ends_at } })
    }
  })
}

export function toDiscounted(deal: Deal): DiscountedProduct {
  const lowest = toRupees(applyDiscount(fromRupees(deal.product.price), deal.percent))
  return {
    _id: deal.id,
    id: deal.id,
    product: toDealProduct(deal.product),
    name: deal.product.name,
    image: deal.product.image,
    originalPrice: deal.product.price,
    currentPrice: lowest,
    discountedPrice: lowest,
    discountPercentage: deal.percent,
    startTime: deal.starts_at,
    endTime: deal.ends_at
  }
}

function toFlashDeal(deal: Deal): Omit<FlashDeal, 'serverTime'> {
  return {
    _id: deal.id,
    productId: toDealProduct(deal.product),
    startTime: deal.starts_at,
    endTime: deal.ends_at,
    discountPercentage: deal.percent
  }
}

function toDealProduct(product: Product): DiscountedProduct['product'] {
  const [picture] = product.pictures
  const { _id, name, price, image, description, category, stock, quantity } = product
  return { _id, name, price, image, ...(picture && { picture }), description, category, stock, quantity }
}

function cacheResult<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
