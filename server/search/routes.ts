import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { SearchData } from '#lib/contract/search.ts'
import { listCollections } from '../catalog/read-collections.ts'
import type { Db } from '../platform/db/tables.ts'
import { route } from '../platform/http/validate.ts'
import { readSection, readShopSettings } from '../settings/settings.ts'

export const searchRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/search', route('Get what the search knows besides the products', SearchData), (request, reply) =>
    app.publicReplies.send({ request, reply }, 'search', data => data.search())
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
