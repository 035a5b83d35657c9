import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { Done } from '#lib/contract/accounts.ts'
import { MissedSearch, MissedText, SearchData } from '#lib/contract/search.ts'
import { HOUR } from '#lib/time.ts'
import { listCollections } from '../catalog/read-collections.ts'
import type { Db } from '../platform/db/tables.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { readSection, readShopSettings } from '../settings/settings.ts'
import { countMissedSearch, listMissedSearches } from './queries.ts'

const MAX_MISSED = 30

export const searchRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/search', route('Get synonyms, categories and collections for the search', SearchData), (request, reply) =>
    app.publicReplies.send({ request, reply }, 'search', data => data.search())
  )

  app.post(
    '/search/missed',
    {
      preHandler: limitRequests({ action: 'missed searches', max: MAX_MISSED, window: HOUR }),
      ...route('Count a search that found nothing', Done, { body: MissedText })
    },
    async ({ body: { text } }) => {
      if (!isPersonal(text)) await app.write(trx => countMissedSearch(trx, text, app.clock()), 'unsynced')
      return { message: '' }
    }
  )
}

/** Somebody may have typed an address or a number into the wrong field. */
function isPersonal(text: string): boolean {
  return text.includes('@') || text.replace(/\D/g, '').length > 5
}

export const adminSearchRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/searches', route('List searches of the last 30 days that found nothing', z.array(MissedSearch)), () =>
    listMissedSearches(app.database.kysely, app.clock())
  )
}

export async function readSearchData(db: Db): Promise<SearchData> {
  const { shop, home, categories } = await readShopSettings(db)
  const { synonyms } = await readSection(db, 'search')
  return {
    categories: categories
      .filter(({ hidden }) => !hidden)
      .map(({ name, label, labelTamil }) => ({ name, label, labelTamil })),
    collections: (await listCollections(db)).map(({ id, name, nameTamil, products }) => ({
      ...{ id, name, nameTamil },
      products
    })),
    synonyms,
    bestsellers: home.bestsellers,
    contact: { phone: shop.phone, whatsapp: shop.whatsapp }
  }
}
