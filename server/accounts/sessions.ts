import type { FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { createHash, randomBytes } from 'node:crypto'
import { ACCESS } from '#lib/admin/access.ts'
import type { MyData, Session, User } from '#lib/contract/accounts.ts'
import type { Staff } from '#lib/contract/names.ts'
import { ShopError } from '#lib/errors.ts'
import { DAY, MINUTE, type EpochMs, type IsoTime, toIso } from '#lib/time.ts'
import type { Db, SessionRow, Trx, UserRow } from '../platform/db/tables.ts'
import { LOSABLE } from '../platform/db/write.ts'
import { toUser } from './users.ts'

export interface RequestSession {
  tokenHash: string
  user: User
  verifiedAt: number
}

declare module 'fastify' {
  interface FastifyInstance {
    authenticate(request: FastifyRequest): Promise<RequestSession | undefined>
  }
  interface FastifyRequest {
    session: RequestSession | undefined
  }
}

const LIFETIME = 30 * DAY
const RENEWAL_INTERVAL = DAY
const MAX_SESSIONS = 50
/** A stolen session token alone must not be enough for the calls that could do the most damage. */
const VERIFICATION_LIFETIME = 10 * MINUTE
const ADMIN_PATH = /^\/api\/admin(\/|$)/
const ROWS: Readonly<Record<string, readonly Staff[] | undefined>> = ACCESS

/** Session and role are read at each request, so that a change takes effect at once. */
export const session = fp(async app => {
  app.decorateRequest('session', undefined)
  app.decorate('authenticate', async request => {
    const hash = hashToken(parseBearerToken(request))
    if (hash === undefined) return undefined
    const now = app.clock()
    const storedSession = await findSession(app.database.kysely, hash, toIso(now))
    if (!storedSession) return undefined
    if (Date.parse(storedSession.renewed_at) <= now - RENEWAL_INTERVAL) {
      // The session is still valid, so the request continues if the renewal fails.
      await app
        .write(trx => renewSession(trx, hash, now), LOSABLE)
        .catch((error: unknown) => request.log.warn({ err: error }, 'Session renewal failed'))
    }
    // Sessions from before the column was added count as never verified.
    const verifiedAt = Date.parse(storedSession.identity_verified_at ?? '') || 0
    return { tokenHash: hash, user: toUser(storedSession), verifiedAt }
  })

  app.addHook('onRoute', (route: RouteOptions) => {
    for (const call of toCalls(route)) {
      const allowed = ROWS[call]
      if (allowed) route.onRequest = [requireStaff(allowed), route.onRequest ?? []].flat()
      else if (ADMIN_PATH.test(route.url))
        throw new Error(`The admin route "${call}" has no row in src/lib/admin/access.ts`)
    }
  })
})

/** If the session can't be read, the call is answered as for a visitor without a login. */
export function readSession(request: FastifyRequest): Promise<RequestSession | undefined> {
  return request.server.authenticate(request).catch(() => undefined)
}

export const requireUser: onRequestAsyncHookHandler = async request => {
  request.session = await request.server.authenticate(request)
  sessionOf(request)
}

function requireStaff(allowed: readonly Staff[]): onRequestAsyncHookHandler {
  return async request => {
    request.session = await request.server.authenticate(request)
    const { staff } = sessionOf(request).user
    if (staff === null || !allowed.includes(staff)) throw new ShopError('FORBIDDEN')
  }
}

/** 'GET /admin/orders/{id}' for the routes `GET` and `HEAD` of '/api/admin/orders/:id'. */
function toCalls({ method, url }: RouteOptions) {
  const path = url.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')
  return [method].flat().map(name => `${name === 'HEAD' ? 'GET' : name} ${path}`)
}

export function sessionOf(request: Pick<FastifyRequest, 'session'>): RequestSession {
  if (!request.session) throw new ShopError('UNAUTHORIZED')
  return request.session
}

export function isRecentlyVerified(request: FastifyRequest): boolean {
  return sessionOf(request).verifiedAt > request.server.clock() - VERIFICATION_LIFETIME
}

export function requireRecentVerification(request: FastifyRequest): void {
  if (!isRecentlyVerified(request)) throw new ShopError('VERIFICATION_REQUIRED')
}

function parseBearerToken({ headers }: FastifyRequest) {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

const TOKEN_BYTES = 32
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/

export async function createSession(trx: Trx, account: UserRow, now: number): Promise<Session> {
  const { token, hash } = createToken()
  await insertSession(trx, account.id, hash, now)
  await deleteOldestSessions(trx, account.id)
  return { token, user: toUser(account) }
}

export function createToken(): { token: string; hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: sha256(token) }
}

export function hashToken(token: string): string | undefined {
  return TOKEN_PATTERN.test(token) ? sha256(token) : undefined
}

// A fast hash is safe here, because a token with 256 random bits cannot be guessed.
function sha256(token: string) {
  return createHash('sha256').update(token).digest('hex')
}

type FoundSession = UserRow & Pick<SessionRow, 'renewed_at' | 'identity_verified_at'>

function findSession(db: Db, hash: string, now: IsoTime): Promise<FoundSession | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['renewed_at', 'identity_verified_at'])
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The user must have given a password or a code just now. */
export async function insertSession(
  trx: Trx,
  userId: string,
  tokenHash: string,
  now: EpochMs
): Promise<void> {
  const createdAt = toIso(now)
  await trx
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      created_at: createdAt,
      expires_at: toIso(now + LIFETIME),
      renewed_at: createdAt,
      identity_verified_at: createdAt
    })
    .execute()
}

/** Only one of several requests updates the row. */
async function renewSession(trx: Trx, tokenHash: string, now: EpochMs) {
  await trx
    .updateTable('sessions')
    .set({ expires_at: toIso(now + LIFETIME), renewed_at: toIso(now) })
    .where('token_hash', '=', tokenHash)
    .where('renewed_at', '<=', toIso(now - RENEWAL_INTERVAL))
    .execute()
}

export async function markVerified(trx: Trx, tokenHash: string, now: EpochMs): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ identity_verified_at: toIso(now) })
    .where('token_hash', '=', tokenHash)
    .execute()
}

export function listSessions(db: Db, userId: string): Promise<MyData['sessions']> {
  return db
    .selectFrom('sessions')
    .select(['created_at as createdAt', 'renewed_at as renewedAt', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
}

export async function deleteSession(trx: Trx, tokenHash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

async function deleteOldestSessions(trx: Trx, userId: string) {
  await trx
    .deleteFrom('sessions')
    .where('token_hash', 'in', ({ selectFrom }) =>
      selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('renewed_at', 'desc')
        .orderBy('token_hash')
        // SQLite has no offset without a limit.
        .limit(1000)
        .offset(MAX_SESSIONS)
    )
    .execute()
}

/** Also voids the device tokens of the account. */
export async function deleteSessionsOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable('users')
    .set(row => ({ devices_version: row('devices_version', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

export async function deleteEndedSessions(trx: Trx, now: EpochMs): Promise<void> {
  await trx.deleteFrom('sessions').where('expires_at', '<=', toIso(now)).execute()
}
