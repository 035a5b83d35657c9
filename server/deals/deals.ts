import * as z from 'zod/mini'
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import {
  AdminDeal,
  DealChange,
  DealDraft,
  DealRemovalQuery,
  Discount,
  DiscountedProduct,
  DrawPath,
  FlashDeal
} from '#lib/contract/promotions.ts'
import { t, language } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { localize } from '#lib/localize.ts'
import { DEAL_MESSAGES, type DealFields, toDealFields } from '#lib/admin/discount-forms.ts'
import { formatDayAndTime, type IsoTime, isoNow } from '#lib/time.ts'
import { mayCall } from '#lib/admin/access.ts'
import { Done } from '#lib/contract/accounts.ts'
import { IdPath } from '#lib/contract/values.ts'
import { record } from '../accounts/audit.ts'
import { type Edit, type Editor, Records, toEditor } from '../accounts/records.ts'
import { findAnyProduct, listAllProducts } from '../catalog/read-products.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Db, DealRow } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField, route } from '../platform/http/validate.ts'
import { DEAL_COLUMNS, toDiscounted } from './running-deals.ts'
import { readSession, requireUser, sessionOf } from '../accounts/sessions.ts'
import { drawDiscount, readMyDiscounts } from './draws.ts'

async function readAdminDeals(db: Db, now: string): Promise<AdminDeal[]> {
  const products = new Map((await listAllProducts(db)).map(product => [product.id, product]))
  return (await listAdminDeals(db)).flatMap(row => {
    const product = products.get(row.product_id)
    return product ? [toAdminDeal(row, product, now)] : []
  })
}

type AdminDealRow = DealRow & { version: number; drawn: number }

function toAdminDeal(row: AdminDealRow, product: AdminProduct, serverTime: IsoTime): AdminDeal {
  const { version, drawn } = row
  const hidden = product.hiddenAt !== null
  return { ...toDiscounted({ ...row, product }), version, drawn, hidden, serverTime }
}

function listAdminDeals(db: Db, id?: string): Promise<AdminDealRow[]> {
  const deals = db
    .selectFrom('deals')
    .select(DEAL_COLUMNS)
    .select('version')
    .select(({ selectFrom, fn }) =>
      selectFrom('draws')
        .select(fn.countAll<number>().as('count'))
        .whereRef('draws.deal_id', '=', 'deals.id')
        .$asScalar()
        .$notNull()
        .as('drawn')
    )
  return (id === undefined ? deals : deals.where('deals.id', '=', id))
    .orderBy('ends_at')
    .orderBy('id')
    .execute()
}

const MAX_PERCENT_WITHOUT_VERIFICATION = 50

export const deals = new Records<AdminDeal, DealFields>({
  kind: 'deal',
  table: 'deals',
  notFound: 'DEAL_NOT_FOUND',
  lock: trx => raiseCounter(trx, 'catalog'),
  find: async (db, id, now) => {
    const [row] = await listAdminDeals(db, id)
    const product = row && (await findAnyProduct(db, row.product_id))
    return product && toAdminDeal(row, product, now)
  },
  fieldsOf: toDealFields,
  save: async (trx, edit, deal, changed) => {
    // Extending an ended deal would make its expired discounts valid again.
    if (deal.endTime <= edit.at) throw new ShopError('DEAL_ENDED')
    const draft = toRow(deal.id, { ...toDealFields(deal), ...changed })
    requireValid(edit, draft)
    const other = await findOverlap(trx, draft, edit.at)
    if (other) throw overlapError(other)
    const { id, product_id: _, ...terms } = toStored(draft)
    await trx
      .updateTable('deals')
      .set(terms)
      .set(row => ({ version: row('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
})

function createDeal(
  { write, clock }: DataDeps,
  editor: Editor,
  fields: DealFields
): Promise<AdminDeal> {
  const [at, draft] = [isoNow(clock), toRow(randomUUID(), fields)]
  requireValid({ ...editor, at }, draft)
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const product = await findAnyProduct(trx, fields.productId)
    if (product?.hiddenAt !== null) throw new ShopError('PRODUCT_NOT_FOUND')
    const overlap = await findOverlap(trx, draft, at)
    if (overlap && !isSame(overlap, draft)) throw overlapError(overlap)
    if (overlap) return deals.require(trx, overlap.id, at)
    await trx.insertInto('deals').values(toStored(draft)).execute()
    const deal = await deals.require(trx, draft.id, at)
    const entry = { actor: editor.actor, at, kind: 'deal', id: deal.id } as const
    await record(trx, { ...entry, action: 'created', after: toDealFields(deal) })
    return deal
  })
}

function isSame(deal: DealRow, draft: DealRow) {
  return (['percent', 'starts_at', 'ends_at'] as const).every(name => deal[name] === draft[name])
}

function requireValid({ at, isVerified }: Edit, { percent, ends_at }: DealRow) {
  if (!isVerified && percent > MAX_PERCENT_WITHOUT_VERIFICATION)
    throw new ShopError('VERIFICATION_REQUIRED')
  if (ends_at <= at) throw invalidField('endTime', t('The deal must end in the future.'))
}

function overlapError({ starts_at, ends_at }: DealRow): ShopError {
  const times = { start: formatDayAndTime(starts_at), end: formatDayAndTime(ends_at) }
  return new ShopError('DEAL_OVERLAPS', {
    message: t('This product already has a deal from {start} to {end}.', times)
  })
}

function toRow(id: string, deal: DealFields): DealRow {
  const { productId: product_id, discountPercentage: percent } = deal
  return { id, product_id, percent, starts_at: deal.startTime, ends_at: deal.endTime }
}

/** The column takes whole numbers from 1 to 100: 0 percent is 1 and -100 hundredths. */
function toStored(deal: DealRow): DealRow & { hundredths: number } {
  const percent = Math.max(1, Math.floor(deal.percent))
  return { ...deal, percent, hundredths: Math.round((deal.percent - percent) * 100) }
}

function findOverlap(db: Db, deal: DealRow, now: IsoTime): Promise<DealRow | undefined> {
  return db
    .selectFrom('deals')
    .select(DEAL_COLUMNS)
    .where('product_id', '=', deal.product_id)
    .where('id', '!=', deal.id)
    .where('starts_at', '<', deal.ends_at)
    .where('ends_at', '>', deal.starts_at)
    .where('ends_at', '>', now)
    .orderBy('starts_at')
    .executeTakeFirst()
}

export const dealRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/discounted-products',
    route(
      'List running deals, or all deals for administrators',
      z.union([z.array(AdminDeal), z.array(DiscountedProduct)])
    ),
    async (request, reply) => {
      const session = await readSession(request)
      if (session && mayCall(session.user.staff, 'PATCH /discounted-products/{id}'))
        return readAdminDeals(app.database.kysely, isoNow(app.clock))
      await app.publicReplies.send({ request, reply }, 'discounted-products', data => data.deals())
      return reply
    }
  )

  app.get(
    '/flash-deals',
    route('List running deals with the server time', z.array(FlashDeal)),
    async () => {
      const data = await app.publicReplies.get()
      const serverTime = isoNow(app.clock)
      const running = localize(await data.flashDeals(), language())
      return running.map(deal => ({ ...deal, serverTime }))
    }
  )

  await app.register(shopperRoutes)

  app.post(
    '/discounted-products',
    { schema: { summary: 'Create a deal', body: DealDraft, response: { 201: AdminDeal } } },
    async (request, reply) =>
      reply.code(201).send(await createDeal(app, toEditor(request), request.body))
  )

  app.patch(
    '/discounted-products/:id',
    route('Change a deal that has not ended', AdminDeal, { params: IdPath, body: DealChange }),
    request => deals.change(app, toEditor(request), request.params.id, request.body)
  )

  app.delete(
    '/discounted-products/:id',
    route('Delete a deal', Done, { params: IdPath, querystring: DealRemovalQuery }),
    async request => {
      const { version } = request.query
      const known = version === undefined ? undefined : Number(version)
      await deals.remove(app, toEditor(request), request.params.id, known)
      return { message: DEAL_MESSAGES.dealDeleted }
    }
  )
}

const shopperRoutes: FastifyPluginAsyncZod = async app => {
  app.addHook('onRequest', requireUser)

  app.post(
    '/flash-deals/generate/:productId',
    route('Draw the personal discount for a product (idempotent)', Discount, { params: DrawPath }),
    request => drawDiscount(app, sessionOf(request).user, { ...request.params, ip: request.ip })
  )

  app.get(
    '/flash-deals/mine',
    route("List the user's drawn discounts for running deals", z.array(Discount)),
    request => readMyDiscounts(app, sessionOf(request).user._id, app.clock())
  )
}
