import { createHash } from 'node:crypto'
import { stockWord } from '#lib/stock.ts'
import { yearInIndia } from '#lib/time.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import { publicView } from './read-public.ts'

/**
 * A hash of everything that public pages are built from: the same as long as publishing again would make the same pages.
 * Of stock only its word counts, since pages show no more.
 */
export async function publicFingerprint({ database, clock }: { database: Database; clock: Clock }): Promise<string> {
  const now = clock()
  const view = publicView(database.kysely, now)
  const products = await view.products()
  const deals = await view.flashDeals()
  const shown = {
    products: products.map(product => ({ ...product, stock: stockWord(product.stock) })),
    deals: deals.map(({ productId, ...deal }) => ({ ...deal, product: productId._id })),
    posts: await view.posts(),
    pictures: await view.pictures(),
    year: yearInIndia(now)
  }
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
}
