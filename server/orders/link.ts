import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { createHmac, randomUUID } from 'node:crypto'
import { OrderLink, OrderLinkRequest } from '#lib/contract/orders.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { localPath, PATHS } from '#lib/paths.ts'
import { DAY, type EpochMs, toIso } from '#lib/time.ts'
import { hashToken } from '../accounts/sessions.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Trx } from '../platform/db/tables.ts'
import { lockRow } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import { requireOwnOrder } from './queries.ts'

const LIFETIME = 90 * DAY

export type LinkDeps = Pick<FastifyInstance, 'clock' | 'codeSecret' | 'config'>

/**
 * Opens the order without a login, the same in all mails of the order until `renew` revokes it.
 * Returns undefined if the order is not paid, or is anonymised.
 */
export async function readOrderLink(
  trx: Trx,
  deps: LinkDeps,
  { id }: Pick<OrderRow, 'id'>,
  renew = false
): Promise<OrderLink | undefined> {
  const order = await lockRow(trx, 'orders', id)
  if (!order || order.paid_at === null || order.anonymised_at !== null) return undefined
  // Not stored, so that a stolen database or backup opens no order.
  const tokenOf = (seed: string) =>
    createHmac('sha256', deps.codeSecret).update(`order link|${id}|${seed}`).digest('base64url')
  const now = deps.clock()
  const links = trx.selectFrom('order_links').selectAll().where('order_id', '=', id)
  const saved = await links.where('created_at', '>', toIso(now - LIFETIME)).executeTakeFirst()
  let row = renew ? undefined : saved
  // A restored database may have links of another secret.
  if (!row || row.token_hash !== hashToken(tokenOf(row.seed))) {
    const seed = randomUUID()
    const token_hash = hashToken(tokenOf(seed)) ?? ''
    const link = { order_id: id, seed, token_hash, created_at: toIso(now) }
    const query = trx.insertInto('order_links').values(link)
    await query.onConflict(conflict => conflict.column('order_id').doUpdateSet(link)).execute()
    row = link
  }
  const page = deps.config.siteUrl + localPath(PATHS.orderLink, order.language)
  return {
    link: `${page}#${tokenOf(row.seed)}`,
    expiresAt: toIso(Date.parse(row.created_at) + LIFETIME)
  }
}

/** For the shopper of `userOf`, or for the shop. */
export function addLinkRoute(
  app: Parameters<FastifyPluginAsyncZod>[0],
  userOf?: (request: FastifyRequest) => string
): void {
  app.post(
    '/orders/:id/link',
    route('Get the link to a paid order, or replace it', OrderLink, {
      params: IdPath,
      body: OrderLinkRequest
    }),
    async request => {
      const { params, body } = request
      if (userOf) await requireOwnOrder(app.database.kysely, userOf(request), params.id)
      const read = (trx: Trx) => readOrderLink(trx, app, params, body.renew)
      const link = await app.write(read, { shows: 'nothing' })
      if (link) return link
      throw new ShopError('ORDER_NOT_FOUND')
    }
  )
}

export function findLinkedOrder(
  { database, clock }: Pick<FastifyInstance, 'database' | 'clock'>,
  token: string
): Promise<OrderRow> {
  return database.kysely
    .selectFrom('orders')
    .innerJoin('order_links', 'order_id', 'orders.id')
    .selectAll('orders')
    .where('token_hash', '=', hashToken(token) ?? '')
    .where('order_links.created_at', '>', toIso(clock() - LIFETIME))
    .where('anonymised_at', 'is', null)
    .executeTakeFirstOrThrow(() => new ShopError('ORDER_LINK_INVALID'))
}

export async function deleteOldLinks(trx: Trx, now: EpochMs): Promise<void> {
  await trx
    .deleteFrom('order_links')
    .where('created_at', '<=', toIso(now - LIFETIME))
    .execute()
}
