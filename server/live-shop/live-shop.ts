import { t } from '#lib/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import { Done } from '#lib/contract/accounts.ts'
import { DAY, type EpochMs, type IsoTime, isoNow, toIso } from '#lib/time.ts'
import { record } from '../accounts/audit.ts'
import { requireRecentVerification, sessionOf } from '../accounts/sessions.ts'
import type { Db, ShopIdentityRow, Trx } from '../platform/db/tables.ts'
import { hasWritten } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import { isLoopback } from '../platform/process/settings.ts'

type LiveDeps = Pick<FastifyInstance, 'database' | 'config'>

/** Older versions wrote SITE_URL instead of the shop's id into the notes of a provider order. */
const SITE_URL_COUNTS_FOR = 7 * DAY

export async function registerShop(trx: Trx, siteUrl: string, now: EpochMs): Promise<void> {
  await trx
    .insertInto('shop_identity')
    .values({ singleton: 1, id: randomUUID(), site_url: siteUrl, created_at: toIso(now) })
    .onConflict(conflict => conflict.column('singleton').doNothing())
    .execute()
}

/**
 * Returns false after a restore or a change of SITE_URL until an administrator confirms, because
 * this may be a copy of the live shop. All loopback addresses count as the same, so that a
 * developer can change the port.
 */
export async function isLive({ database, config }: LiveDeps): Promise<boolean> {
  return isLiveAt(await readIdentity(database.kysely), config.siteUrl)
}

export function isLiveAt({ site_url }: ShopIdentityRow, siteUrl: string): boolean {
  if (site_url === null) return false
  return site_url === siteUrl || (isOnThisMachine(site_url) && isOnThisMachine(siteUrl))
}

export async function namesThisShop(
  { database, config }: LiveDeps,
  note: unknown,
  now: EpochMs
): Promise<boolean> {
  const { id, created_at } = await readIdentity(database.kysely)
  return (
    note === id || (note === config.siteUrl && now < Date.parse(created_at) + SITE_URL_COUNTS_FOR)
  )
}

export function readIdentity(db: Db): Promise<ShopIdentityRow> {
  return db.selectFrom('shop_identity').selectAll().executeTakeFirstOrThrow()
}

export const liveShopRoutes: FastifyPluginAsyncZod = async app => {
  app.post(
    '/confirm-live',
    route('Confirm that this is the live shop, after a restore or a change of its address', Done),
    async request => {
      requireRecentVerification(request)
      const { siteUrl } = app.config
      const change = {
        actor: sessionOf(request).user,
        at: isoNow(app.clock),
        kind: 'publish',
        id: 'site',
        action: 'confirmed',
        after: { siteUrl }
      } as const
      await app.write(async trx => {
        if (await confirmLive(trx, siteUrl)) await record(trx, change)
      })
      return { message: t('This is the live shop.') }
    }
  )
}

async function confirmLive(trx: Trx, siteUrl: string) {
  return hasWritten(
    trx
      .updateTable('shop_identity')
      .set({ site_url: siteUrl })
      .where(row => row.or([row('site_url', 'is', null), row('site_url', '!=', siteUrl)]))
  )
}

export async function setRestoredIdentity(
  trx: Trx,
  siteUrl: string | null,
  at: IsoTime
): Promise<void> {
  await trx
    .insertInto('shop_identity')
    .values({ singleton: 1, id: randomUUID(), site_url: siteUrl, created_at: at })
    .onConflict(conflict => conflict.column('singleton').doUpdateSet({ site_url: siteUrl }))
    .execute()
}

function isOnThisMachine(siteUrl: string) {
  return isLoopback(new URL(siteUrl).hostname)
}
