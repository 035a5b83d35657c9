import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { Done } from '#lib/contract/accounts.ts'
import { MissedSearch, MissedText, SearchData } from '#lib/contract/content.ts'
import { DAY, type EpochMs, HOUR, toDayInIndia } from '#lib/time.ts'
import { listCollections } from './collections.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import { LOSABLE } from '../platform/db/write.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { readSection, readShopSettings } from '../settings/settings.ts'

const MAX_MISSED_PER_HOUR = 30
const MAX_TEXTS_PER_DAY = 500
const MISSED_RETENTION = 30 * DAY
const MAX_LISTED_TEXTS = 100

export const searchRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/search',
    route('Get synonyms, categories and collections for the search', SearchData),
    (request, reply) => app.publicReplies.send({ request, reply }, 'search', data => data.search())
  )

  app.post(
    '/search/missed',
    {
      preHandler: limitRequests({
        action: 'missed searches',
        max: MAX_MISSED_PER_HOUR,
        window: HOUR
      }),
      ...route('Count a search that found nothing', Done, { body: MissedText })
    },
    async ({ body: { text } }) => {
      if (!isPersonal(text))
        await app.write(trx => countMissedSearch(trx, text, app.clock()), LOSABLE)
      return { message: '' }
    }
  )
}

/** Somebody may have typed an address or a number into the wrong field. */
function isPersonal(text: string) {
  return text.includes('@') || text.replace(/\D/g, '').length > 5
}

export const adminSearchRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/searches',
    route('List searches of the last 30 days that found nothing', z.array(MissedSearch)),
    () => listMissedSearches(app.database.kysely, app.clock())
  )
}

export async function readSearchData(db: Db): Promise<SearchData> {
  const { shop, home, categories } = await readShopSettings(db)
  const { synonyms } = await readSection(db, 'search')
  const collections = await listCollections(db)
  return {
    categories: categories
      .filter(({ hidden }) => !hidden)
      .map(({ name, label, labelTamil }) => ({ name, label, labelTamil })),
    collections: collections.map(({ id, name, nameTamil, products }) => ({
      id,
      name,
      nameTamil,
      products
    })),
    synonyms,
    bestsellers: home.bestsellers,
    contact: { phone: shop.phone, whatsapp: shop.whatsapp }
  }
}

async function countMissedSearch(trx: Trx, text: string, now: EpochMs) {
  const day = toDayInIndia(now)
  const counted = await trx
    .updateTable('missed_searches')
    .set(row => ({ count: row('count', '+', 1) }))
    .where('day', '=', day)
    .where('text', '=', text)
    .executeTakeFirstOrThrow()
  if (counted.numUpdatedRows > 0n) return
  const texts = await countRows(trx.selectFrom('missed_searches').where('day', '=', day))
  if (texts >= MAX_TEXTS_PER_DAY) return
  await trx
    .insertInto('missed_searches')
    .values({ day, text, count: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['day', 'text'])
        .doUpdateSet(row => ({ count: row('missed_searches.count', '+', 1) }))
    )
    .execute()
}

async function listMissedSearches(db: Db, now: EpochMs): Promise<MissedSearch[]> {
  const rows = await db
    .selectFrom('missed_searches')
    .select(({ fn }) => ['text', fn.sum<number>('count').as('count'), fn.max('day').as('lastDay')])
    .where('day', '>', toDayInIndia(now - MISSED_RETENTION))
    .groupBy('text')
    .orderBy('count', 'desc')
    .orderBy('text')
    .limit(MAX_LISTED_TEXTS)
    .execute()
  return rows.map(({ text, count, lastDay }) => ({ text, count: Number(count), lastDay }))
}

export async function deleteOldMissedSearches(trx: Trx, now: EpochMs): Promise<void> {
  await trx
    .deleteFrom('missed_searches')
    .where('day', '<=', toDayInIndia(now - MISSED_RETENTION))
    .execute()
}
