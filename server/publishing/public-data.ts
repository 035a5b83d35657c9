import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { LiveProduct, Product } from '#lib/contract/catalog.ts'
import type { SiteContent } from '#lib/contract/content.ts'
import { language } from '#lib/contract/texts.ts'
import { highestDraw } from '#lib/catalog/deal-view.ts'
import { localize } from '#lib/localize.ts'
import { toPublishedStock, toStockLevel } from '#lib/product.ts'
import { type EpochMs, type IsoTime, SECOND } from '#lib/time.ts'
import { listCollections } from '../catalog/collections.ts'
import { listSitePictures } from '../catalog/pictures.ts'
import { listProducts } from '../catalog/read-products.ts'
import { listPosts } from '../content/posts.ts'
import {
  listRunningDeals,
  type RunningDeal,
  toDiscounted,
  toFlashDeal,
  nextPriceChange
} from '../deals/running-deals.ts'
import type { OfferedProduct } from '../delivery/offers.ts'
import { readDeliveryRules, readProductFacts } from '../delivery/rules.ts'
import { listBestsellers } from '../orders/desk/orders.ts'
import type { Db } from '../platform/db/tables.ts'
import { readSearchData } from '../catalog/search-routes.ts'
import { readShopSettings } from '../settings/settings.ts'
import { readCounters } from '../platform/db/counters.ts'
import {
  prepareReply,
  sendPrepared,
  type PreparedReply
} from '../platform/http/content-negotiation.ts'
import { withTimeout } from '../platform/process/work-queue.ts'

type StoredContent = Omit<SiteContent, 'checkoutUrl'>

type PublicData = ReturnType<typeof createPublicData>

function createPublicData(db: Db, now: number, loadProducts = listProducts) {
  const products = cacheResult(() => loadProducts(db, new Date(now).toISOString()))
  const productById = cacheResult(
    async () => new Map((await products()).map(product => [product.id, product]))
  )
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
    collections: cacheResult(() => listCollections(db)),
    deals: async () => (await deals()).map(toDiscounted),
    flashDeals: async () => (await deals()).map(toFlashDeal),
    posts: cacheResult(() => listPosts(db)),
    pictures: cacheResult(() => listSitePictures(db)),
    shop: cacheResult(() => readShopSettings(db)),
    deliveryRules: cacheResult(() => readDeliveryRules(db)),
    offeredProducts: cacheResult(async () => {
      const facts = await readProductFacts(db)
      const offered = (await products()).flatMap(product => {
        const known = facts.get(product.id)
        return known ? [[product.id, { ...known, product }] as const] : []
      })
      return new Map<string, OfferedProduct>(offered)
    }),
    search: cacheResult(() => readSearchData(db)),
    siteContent: cacheResult(() => readSiteContent(db, now))
  }
}

/** What all pages show. All reads see the same moment, while others write. */
export function readSiteContent(db: Db, now: EpochMs): Promise<StoredContent> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async trx => {
      const data = createPublicData(trx, now, listAsPublished)
      return {
        products: await data.products(),
        collections: await data.collections(),
        deals: await data.deals(),
        pictures: await data.pictures(),
        posts: await data.posts(),
        shop: await data.shop(),
        bestsellers: await listBestsellers(trx, now)
      }
    })
}

// Pages show levels, so that a sale without another level changes no page.
async function listAsPublished(db: Db, now: IsoTime): Promise<Product[]> {
  const products = await listProducts(db, now)
  return products.map(product => ({
    ...product,
    stock: toPublishedStock(toStockLevel(product.stock))
  }))
}

function toLiveProducts(
  products: readonly Product[],
  deals: readonly RunningDeal[]
): LiveProduct[] {
  const dealByProduct = new Map(deals.map(deal => [deal.product_id, deal]))
  return products.map(({ id, price, listPrice, stock }) => {
    const level = toStockLevel(stock)
    const deal = dealByProduct.get(id)
    return {
      id,
      price,
      ...(listPrice !== undefined && { listPrice }),
      stock: level,
      ...(level === 'low' && { left: stock }),
      ...(deal && { deal: { percent: highestDraw(deal.percent), endTime: deal.ends_at } })
    }
  })
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

declare module 'fastify' {
  interface FastifyInstance {
    publicReplies: PublicReplies
  }
}

interface ReplyOptions {
  cacheControl?: string
  /** The same for all languages. */
  isPlain?: boolean
}

interface PublicReplies extends PublicDataCache {
  send(
    call: { request: FastifyRequest; reply: FastifyReply },
    key: string,
    createValue: (data: PublicData) => unknown,
    options?: ReplyOptions
  ): Promise<void>
}

const REVALIDATE = 'public, max-age=0, must-revalidate'

export const readCache = fp(async app => {
  const cache = createPublicDataCache(app)

  app.decorate('publicReplies', {
    ...cache,
    async send({ request, reply }, key, createValue, options = {}) {
      const { cacheControl = REVALIDATE, isPlain = false } = options
      const snapshot = await cache.get()
      const { replies } = snapshot
      const code = language()
      const prepare = async (): Promise<PreparedReply> => {
        const value = await createValue(snapshot)
        return isPlain
          ? prepareReply(value, cacheControl)
          : prepareReply(localize(value, code), cacheControl, 'Accept-Encoding, Accept-Language')
      }
      const fullKey = isPlain ? key : `${code} ${key}`
      const prepared = replies.get(fullKey) ?? (await prepare())
      replies.set(fullKey, prepared)
      await sendPrepared(prepared, request, reply)
    }
  })
})

interface Snapshot extends PublicData {
  version: string
  replies: Map<string, PreparedReply>
}

interface PublicDataCache {
  get(): Promise<Snapshot>
  invalidate(): void
}

/** Changes by other processes become visible after this time at the latest. */
const CHECK_INTERVAL = SECOND

function createPublicDataCache({
  database,
  clock,
  log
}: Pick<FastifyInstance, 'database' | 'clock' | 'log'>): PublicDataCache {
  const db = database.kysely
  let current: Snapshot | undefined
  let validUntil = -Infinity
  let checkedAt = -Infinity
  let invalidations = 0
  let invalidationsSeen = 0
  let checking: Promise<void> | undefined
  let isReachable = true

  function isCurrent(now: number) {
    // Before `checkedAt`: the clock was set back.
    return (
      invalidationsSeen === invalidations &&
      now < validUntil &&
      now >= checkedAt &&
      now < checkedAt + CHECK_INTERVAL
    )
  }

  async function check() {
    const now = clock()
    const invalidationsAtStart = invalidations
    try {
      const counters = await withTimeout(CHECK_INTERVAL, readCounters(db, ['catalog', 'stock']))
      const version = `${counters.catalog ?? 0}-${counters.stock ?? 0}`
      if (!isReachable || version !== current?.version || now >= validUntil || now < checkedAt) {
        const nextChange = await withTimeout(
          CHECK_INTERVAL,
          nextPriceChange(db, new Date(now).toISOString())
        )
        validUntil = nextChange === undefined ? Infinity : Date.parse(nextChange)
        current = { version, replies: new Map(), ...createPublicData(db, now) }
      }
      isReachable = true
    } catch (error) {
      if (!current) throw error
      isReachable = false
      log.warn({ err: error }, 'Database unavailable, serving cached data')
      validUntil = Math.max(validUntil, now + CHECK_INTERVAL)
    }
    checkedAt = now
    invalidationsSeen = invalidationsAtStart
  }

  async function refresh(): Promise<Snapshot> {
    do {
      checking ??= check().finally(() => (checking = undefined))
      await checking
    } while (invalidationsSeen !== invalidations)
    if (!current) throw new Error('Public data was not loaded')
    return current
  }

  return {
    get: async () => (current && isCurrent(clock()) ? current : refresh()),
    invalidate: () => void invalidations++
  }
}
