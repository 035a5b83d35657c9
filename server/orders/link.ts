import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { createHmac, randomUUID } from 'node:crypto'
import { OrderLink, OrderLinkRequest } from '#lib/contract/orders.ts'
import { t } from '#lib/contract/texts.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { localPath, PATHS } from '#lib/paths.ts'
import { DAY, type EpochMs, toIso } from '#lib/time.ts'
import { hashToken } from '../accounts/sessions.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Tables, Trx } from '../platform/db/tables.ts'
import { lockRow } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import { requireOrder, requireOwnOrder } from './queries.ts'

type OrderLinkRow = Tables['order_links']

const LIFETIME = 90 * DAY

export type LinkDeps = Pick<FastifyInstance, 'clock' | 'codeSecret' | 'config'>

/**
 * Opens the order without a login, the same in all mails of the order until `renew` revokes it.
 * Returns undefined if the order is not paid, or is anonymised.
 */
export async function readOrderLink(
  trx: Trx,
  deps: LinkDeps,
  { id, language }: Pick<OrderRow, 'id' | 'language'>,
  renew = false
): Promise<OrderLink | undefined> {
  const order = await lockRow(trx, 'orders', id)
  if (!order || order.paid_at === null || order.anonymised_at !== null) return undefined
  const now = deps.clock()
  const links = trx.selectFrom('order_links').selectAll().where('order_id', '=', id)
  const saved = renew ? undefined : await links.executeTakeFirst()
  // A restored database may have links of another secret.
  const isValid =
    saved && saved.created_at > toIso(now - LIFETIME) && saved.token_hash === hashOf(deps, saved)
  const row = isValid ? saved : await saveNewLink(trx, deps, id, now)
  return {
    link: `${deps.config.siteUrl}${localPath(PATHS.orderLink, language)}#${tokenOf(deps, row)}`,
    expiresAt: toIso(Date.parse(row.created_at) + LIFETIME)
  }
}

async function saveNewLink(
  trx: Trx,
  deps: LinkDeps,
  order_id: string,
  now: EpochMs
): Promise<OrderLinkRow> {
  const draft = { order_id, seed: randomUUID(), created_at: toIso(now) }
  const row = { ...draft, token_hash: hashOf(deps, draft) }
  await trx
    .insertInto('order_links')
    .values(row)
    .onConflict(conflict => conflict.column('order_id').doUpdateSet(row))
    .execute()
  return row
}

type Seed = Pick<OrderLinkRow, 'order_id' | 'seed'>

/** Not stored, so that a stolen database or backup opens no order. */
function tokenOf({ codeSecret }: LinkDeps, { order_id, seed }: Seed): string {
  return createHmac('sha256', codeSecret)
    .update(`order link|${order_id}|${seed}`)
    .digest('base64url')
}

function hashOf(deps: LinkDeps, seed: Seed): string {
  return hashToken(tokenOf(deps, seed)) ?? ''
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
      const { id } = request.params
      const db = app.database.kysely
      const order = userOf
        ? await requireOwnOrder(db, userOf(request), id)
        : await requireOrder(db, id)
      const { renew } = request.body
      const link = await app.write(trx => readOrderLink(trx, app, order, renew), {
        shows: 'nothing'
      })
      if (link) return link
      throw new ShopError('ORDER_NOT_CHANGEABLE', { message: t('Only paid orders have a link.') })
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
