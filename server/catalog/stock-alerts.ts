import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Selectable } from 'kysely'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { Done, type MyData, type User } from '#lib/contract/accounts.ts'
import { StopQuery } from '#lib/contract/catalog.ts'
import { language, t } from '#lib/contract/texts.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { paths, stopAlertsPath } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { DAY, type EpochMs, isoNow, toIso } from '#lib/time.ts'
import { requireUser, sessionOf } from '../accounts/sessions.ts'
import { toSiteBase } from '../config.ts'
import type { Db, ProductRow, Tables, Trx } from '../platform/db/tables.ts'
import { enforceLimit } from '../platform/http/limits.ts'
import { invalidField, route } from '../platform/http/validate.ts'
import { drainDueJobs } from '../platform/process/jobs.ts'
import { inLanguage } from '../platform/language.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { deleteOldMails, enqueueMail } from '../platform/mail/outbox.ts'
import { mailFromShop, readContact, type ShopContact } from '../settings/contact.ts'
import { localNameOf, NAME_COLUMNS } from './read-products.ts'

type AlertDeps = Pick<FastifyInstance, 'database' | 'write' | 'clock' | 'config' | 'codeSecret'>

const MAX_PER_DAY = 20
const MAIL_PREFIX = 'stock-alert-'
const MAIL_RETENTION = 90 * DAY
const BATCH = 20
const STOP_TOKEN = /^([\w-]+)\.([0-9a-f]{64})$/

export const alertRoutes: FastifyPluginAsyncZod = async app => {
  app.post(
    '/products/:id/stock-alert',
    {
      onRequest: requireUser,
      ...route('Ask for an email when a product is in stock again', Done, { params: IdPath })
    },
    async request => {
      await askForAlert(app, sessionOf(request).user, request.params.id)
      return { message: t('We’ll email you once it’s back in stock.') }
    }
  )

  await app.register(stopRoute)
}

const stopRoute: FastifyPluginAsyncZod = async app => {
  // Mail programs send a form (RFC 8058), older ones open the address.
  await app.register(formbody)

  app.get(
    '/stock-alerts/stop',
    { schema: { hide: true, querystring: StopQuery } },
    ({ query: { token } }, reply) =>
      reply.redirect(toSiteBase(app.config) + stopAlertsPath(encodeURIComponent(token)), 303)
  )

  app.post(
    '/stock-alerts/stop',
    route('Stop emails about products in stock, with the token from an email', Done, {
      querystring: StopQuery
    }),
    async request => {
      await stopAlerts(app, request.query.token)
      return { message: t('You’ll get no more of these emails.') }
    }
  )
}

async function askForAlert(
  { database, write, clock }: AlertDeps,
  { _id: userId }: User,
  productId: string
) {
  const product = await database.kysely
    .selectFrom('products')
    .select(['stock', 'cooked_to_order'])
    .where('id', '=', productId)
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
  if (product.stock > 0 || product.cooked_to_order === 1) throw new ShopError('PRODUCT_IN_STOCK')
  const alert = { product_id: productId, user_id: userId, language: language() }
  await write(async trx => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('stock_alerts')
      .values({ ...alert, id: randomUUID(), asked_at: isoNow(clock) })
      .onConflict(conflict => conflict.columns(['user_id', 'product_id']).doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return
    const limit = { key: `stock alerts of ${userId}`, max: MAX_PER_DAY, window: DAY }
    await enforceLimit(trx, [limit], clock())
  })
}

export async function sendStockAlerts(
  deps: AlertDeps,
  holder: string,
  signal?: AbortSignal
): Promise<void> {
  const listDue = async () => {
    const rows = await deps.database.kysely
      .selectFrom('stock_alerts')
      .innerJoin('products', 'products.id', 'product_id')
      .select('stock_alerts.id')
      .where(row => row.or([row('stock', '>', 0), row('cooked_to_order', '=', 1)]))
      .where('hidden_at', 'is', null)
      .orderBy('asked_at')
      .limit(BATCH)
      .execute()
    return rows.map(({ id }) => id)
  }
  const handle = (id: string) => deps.write(trx => sendAlert(trx, deps, id))
  await drainDueJobs(deps, { name: 'stock alerts', listDue, handle }, holder, signal)
}

async function sendAlert(trx: Trx, deps: AlertDeps, id: string) {
  const alert = await trx
    .deleteFrom('stock_alerts')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  // Another process has sent it, or the shopper has stopped it.
  if (!alert) return
  const product = await trx
    .selectFrom('products')
    .select([...NAME_COLUMNS, 'pack_value', 'pack_unit'])
    .where('id', '=', alert.product_id)
    .executeTakeFirstOrThrow()
  const { email } = await trx
    .selectFrom('users')
    .select('email')
    .where('id', '=', alert.user_id)
    .executeTakeFirstOrThrow()
  const shop = await readContact(trx)
  const mail = inLanguage(alert.language, () => alertMail(deps, shop, { alert, product, email }))
  await enqueueMail(trx, mail, isoNow(deps.clock))
}

type Alert = Selectable<Tables['stock_alerts']>
type AlertProduct = Parameters<typeof localNameOf>[0] & Pick<ProductRow, 'pack_value' | 'pack_unit'>

export function alertMail(
  deps: Pick<AlertDeps, 'config' | 'codeSecret'>,
  shop: ShopContact,
  {
    alert,
    product,
    email
  }: { alert: Pick<Alert, 'id' | 'user_id' | 'product_id'>; product: AlertProduct; email: string }
): Mail {
  const { siteUrl, publicApiBase } = deps.config
  const token = `${alert.user_id}.${macOf(deps, alert.user_id).toString('hex')}`
  const pack = formatPack({ value: product.pack_value, unit: product.pack_unit })
  const name = localNameOf(product)
  return mailFromShop(shop, {
    id: `${MAIL_PREFIX}${alert.id}`,
    to: email,
    subject: t('{product} is back in stock', { product: name }),
    unsubscribeUrl: new URL(`${publicApiBase}/stock-alerts/stop?token=${token}`, siteUrl).href,
    // Greets nobody by name: anyone can register somebody else's address with any name.
    blocks: [
      t('Vanakkam,'),
      t('You asked us to tell you: {product}, {pack}, is in stock again.', { product: name, pack }),
      { label: t('See the product'), url: `${siteUrl}${paths.product(alert.product_id)}` },
      {
        label: t('Get no more of these emails'),
        url: `${siteUrl}${stopAlertsPath(token)}`,
        isQuiet: true
      }
    ]
  })
}

/** Proves that the reader of a mail may stop the alerts of this account without a login. */
function macOf({ codeSecret }: Pick<AlertDeps, 'codeSecret'>, userId: string): Buffer {
  return createHmac('sha256', codeSecret).update(`stock alerts|${userId}`).digest()
}

async function stopAlerts(deps: AlertDeps, token: string) {
  const [, userId = '', mac] = STOP_TOKEN.exec(token) ?? []
  if (mac === undefined || !timingSafeEqual(Buffer.from(mac, 'hex'), macOf(deps, userId)))
    throw invalidField('token', MESSAGES.stockAlertLinkInvalid)
  await deps.write(trx => deleteAlerts(trx, userId))
}

export async function deleteAlerts(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('stock_alerts').where('user_id', '=', userId).execute()
}

export function listAlerts(db: Db, userId: string): Promise<MyData['stockAlerts']> {
  const alerts = db
    .selectFrom('stock_alerts')
    .select(['product_id as product', 'asked_at as askedAt'])
  return alerts.where('user_id', '=', userId).orderBy('asked_at').orderBy('product_id').execute()
}

export async function deleteOldAlertMails(trx: Trx, now: EpochMs): Promise<void> {
  await deleteOldMails(trx, MAIL_PREFIX, toIso(now - MAIL_RETENTION))
}
