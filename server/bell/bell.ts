import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Selectable } from 'kysely'
import { randomUUID } from 'node:crypto'
import { Done } from '#lib/contract/accounts.ts'
import { Bell, type BellDevice, BellSubscription } from '#lib/contract/admin.ts'
import type { BellKind } from '#lib/contract/names.ts'
import { language, t } from '#lib/contract/texts.ts'
import { IdPath } from '#lib/contract/values.ts'
import { formatPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { type EpochMs, HOUR, type IsoTime, isoNow, SECOND, toIso } from '#lib/time.ts'
import { type RequestSession, sessionOf } from '../accounts/sessions.ts'
import { isLive } from '../live-shop/live-shop.ts'
import type { OrderRow } from '../platform/db/order-tables.ts'
import type { Db, Tables, Trx } from '../platform/db/tables.ts'
import { enforceLimit } from '../platform/http/limits.ts'
import { invalidField, route } from '../platform/http/validate.ts'
import { inLanguage } from '../platform/language.ts'
import { readContact } from '../settings/contact.ts'
import { isUsable, sendPush } from './push.ts'

type BellDeps = Pick<
  FastifyInstance,
  'database' | 'write' | 'clock' | 'config' | 'push' | 'bellKeys' | 'log'
>

const MAX_TESTS_PER_HOUR = 20
/** After this time, a ring is dropped, also by the push service. */
const LIFETIME = HOUR
/** Longer than an attempt takes. */
const FIRST_BACKOFF = 30 * SECOND
const MAX_PARALLEL = 100
const QUIET = { shows: 'nothing' } as const

export const bellRoutes: FastifyPluginAsyncZod = async app => {
  const read = async ({ user, tokenHash }: RequestSession): Promise<Bell> => {
    const own = await listBells(app.database.kysely, user._id, isoNow(app.clock))
    const devices = own.map(device => ({ ...device, isThis: device.session === tokenHash }))
    return { key: app.bellKeys.publicKey, devices }
  }

  app.get('/bell', route('List the own devices that ring', Bell), request =>
    read(sessionOf(request))
  )

  app.post(
    '/bell',
    route('Let this device ring, or change what it rings for', Bell, { body: BellSubscription }),
    async request => {
      const session = sessionOf(request)
      const label = toLabel(request.headers['user-agent'])
      await app.write(trx => saveDevice(trx, session, request.body, label), QUIET)
      return read(session)
    }
  )

  app.delete(
    '/bell/:id',
    route('Silence one of the own devices', Bell, { params: IdPath }),
    async request => {
      const session = sessionOf(request)
      await app.write(async trx => {
        const device = trx.deleteFrom('bell_devices').where('id', '=', request.params.id)
        const isOwn = device.where('session', 'in', ({ selectFrom }) =>
          selectFrom('sessions').select('token_hash').where('user_id', '=', session.user._id)
        )
        await isOwn.execute()
      }, QUIET)
      return read(session)
    }
  )

  app.post('/bell/test', route('Ring this device', Done), async request => {
    const { tokenHash: session, user } = sessionOf(request)
    const now = app.clock()
    const limit = { key: `bell tests of ${user._id}`, max: MAX_TESTS_PER_HOUR, window: HOUR }
    const compose = (): Notice => ({ title: t('This device rings.'), path: paths.admin })
    await app.write(async trx => {
      await enforceLimit(trx, [limit], now)
      await ring(trx, { id: `test-${now}`, session, at: toIso(now), compose })
    }, QUIET)
    return { message: t('It rings in a few seconds. If not, turn it off and on again.') }
  })
}

/** A device belongs to the session that has saved it, and rings until this session ends. */
function selectDevices(db: Db, now: IsoTime) {
  return db
    .selectFrom('bell_devices')
    .innerJoin('sessions', 'token_hash', 'session')
    .innerJoin('users', 'users.id', 'user_id')
    .selectAll('bell_devices')
    .where('expires_at', '>', now)
    .where('staff', 'in', ['owner', 'manager'])
}

export async function listBells(
  db: Db,
  userId: string,
  now: IsoTime
): Promise<(Omit<BellDevice, 'isThis'> & { session: string })[]> {
  const own = selectDevices(db, now).where('user_id', '=', userId).orderBy('bell_devices.id')
  return (await own.execute()).map(({ id, label, kinds, session }) => ({
    ...{ id, label, session },
    kinds: JSON.parse(kinds) as BellKind[]
  }))
}

async function saveDevice(
  trx: Trx,
  { tokenHash: session }: RequestSession,
  { endpoint, kinds, keys }: BellSubscription,
  label: string
) {
  if (!isUsable({ endpoint, ...keys }))
    throw invalidField('endpoint', t('This browser can’t ring. Please use another one.'))
  const values = { session, label, ...keys, kinds: JSON.stringify(kinds), language: language() }
  await trx
    .insertInto('bell_devices')
    .values({ id: randomUUID(), endpoint, ...values })
    .onConflict(conflict => conflict.column('endpoint').doUpdateSet(values))
    .execute()
  // The browser has renewed its subscription.
  const former = trx.deleteFrom('bell_devices').where('session', '=', session)
  await former.where('endpoint', '!=', endpoint).execute()
}

function toLabel(userAgent = '') {
  // Edge and Opera also call themselves Chrome, and Chrome calls itself Safari.
  const [, mark = 'Safari'] = /.*(Edg|OPR|Firefox|Chrome)/.exec(userAgent) ?? []
  const browser = mark.replace('Edg', 'Edge').replace('OPR', 'Opera')
  const [system = 'Linux'] = /iPhone|iPad|Android|Windows|Mac/.exec(userAgent) ?? []
  return t('{browser} on {system}', { browser, system })
}

interface Notice {
  title: string
  path: string
}

interface BellEvent {
  /** Equal for all reports of an event, which rings once. */
  id: string
  kind?: BellKind
  session?: string
  /** Less urgent. A ring replaces an earlier one of its topic. */
  topic?: 'stock' | 'website'
  at: IsoTime
  /** Called in the language of each device. Must name no person. */
  compose: () => Notice
}

/** In the transaction of the event, so that none is lost. */
export async function ring(
  trx: Trx,
  { id, kind, session, topic, at, compose }: BellEvent
): Promise<void> {
  let devices = selectDevices(trx, at)
  if (kind) devices = devices.where('kinds', 'like', `%"${kind}"%`)
  if (session !== undefined) devices = devices.where('session', '=', session)
  // The service worker shows the payload.
  const rows = (await devices.execute()).map(device => ({
    id: `${id} ${device.id}`,
    device_id: device.id,
    payload: inLanguage(device.language, () => JSON.stringify({ ...compose(), tag: topic ?? id })),
    ...{ topic: topic ?? null, next_at: at, created_at: at }
  }))
  if (rows.length === 0) return
  const insert = trx.insertInto('bell_rings').values(rows)
  await insert.onConflict(conflict => conflict.column('id').doNothing()).execute()
}

export function ringOrder(
  trx: Trx,
  kind: 'order' | 'cancelled',
  { id, order_no: order, total: paise }: OrderRow,
  at: IsoTime
): Promise<void> {
  const compose = (): Notice => {
    const facts = { order, total: formatPaise(paise) }
    const isNew = kind === 'order'
    return {
      title: isNew ? t('Order {order}: {total}', facts) : t('Cancelled: {order}, {total}', facts),
      path: `${paths.adminOrders}?order=${id}`
    }
  }
  return ring(trx, { id: `${kind}-${id}`, kind, at, compose })
}

/**
 * Each ring is claimed by one process and sent on its own, so that a push service that hangs delays
 * no other device. If the process is killed, the ring is due again after the claim.
 */
export async function startRings(app: BellDeps): Promise<Promise<void>[]> {
  const now = app.clock()
  const due = app.database.kysely.selectFrom('bell_rings').where('next_at', '<=', toIso(now))
  const rows = await due.select('id').orderBy('next_at').limit(MAX_PARALLEL).execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0 || !(await isLive(app))) return []
  const claimed = await app.write(trx => {
    const claims = trx.updateTable('bell_rings').set({ next_at: toIso(now + FIRST_BACKOFF) })
    const found = claims.where('id', 'in', ids).where('next_at', '<=', toIso(now))
    return found.returningAll().execute()
  }, QUIET)
  const report = (err: unknown) => app.log.warn({ err }, 'A ring failed, will retry')
  return claimed.map(each => deliver(app, each).catch(report))
}

async function deliver(
  { database: { kysely: db }, push, bellKeys, log, ...app }: BellDeps,
  { id, device_id, payload, topic, created_at }: Selectable<Tables['bell_rings']>
) {
  const now = app.clock()
  const age = now - Date.parse(created_at)
  const lifetime = LIFETIME - age
  const devices = selectDevices(db, toIso(now)).where('bell_devices.id', '=', device_id)
  const device = lifetime > 0 ? await devices.executeTakeFirst() : undefined
  // Without an address of its own, the owner's.
  const { email } = await readContact(db)
  const vapid = { ...bellKeys, subject: `mailto:${email}` }
  const failed = { status: 503, retryAfter: '' }
  const sent = device && sendPush(push, device, { payload, topic, lifetime }, vapid)
  const { status, retryAfter, ...problem } =
    (await sent?.catch((err: unknown) => ({ ...failed, err }))) ?? failed
  const asked = Number(retryAfter) * SECOND || Date.parse(retryAfter) - now || 0
  const wait = Math.max(FIRST_BACKOFF, age, asked)
  const retries = device && (status === 429 || status >= 500) && wait < lifetime
  if (device && status >= 300)
    log.warn({ device: device_id, status, retries, ...problem }, 'Ring not delivered')
  await app.write(async trx => {
    const ring = trx.updateTable('bell_rings').set({ next_at: toIso(now + wait) })
    if (retries) return ring.where('id', '=', id).execute()
    if (status === 404 || status === 410)
      await trx.deleteFrom('bell_devices').where('id', '=', device_id).execute()
    return trx.deleteFrom('bell_rings').where('id', '=', id).execute()
  }, QUIET)
}

export async function deleteEndedBells(trx: Trx, now: EpochMs): Promise<void> {
  const old = trx.deleteFrom('bell_rings').where('created_at', '<=', toIso(now - LIFETIME))
  await old.execute()
  const ringing = trx.selectFrom(selectDevices(trx, toIso(now)).as('ringing')).select('id')
  await trx.deleteFrom('bell_devices').where('id', 'not in', ringing).execute()
}
