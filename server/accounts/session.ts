import type { FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { User } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { SESSION_RENEWAL_INTERVAL } from '#lib/time.ts'
import { hashToken } from './create-session.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import { renewSession, createSessionFinder } from './session-queries.ts'
import { toUser } from './users.ts'

export interface RequestSession {
  tokenHash: string
  user: User
}

declare module 'fastify' {
  interface FastifyInstance {
    authenticate(request: FastifyRequest): Promise<RequestSession | undefined>
  }
  interface FastifyRequest {
    session: RequestSession | undefined
  }
}

const ADMIN_PATH = /^\/api\/admin(\/|$)/

/**
 * Reads session and role from the database at each request, so that a deleted session or a changed role takes effect at
 * once.
 */
export const session = fp<{ database: Database; clock: Clock }>(async (app, { database, clock }) => {
  const findSession = createSessionFinder(database.kysely)

  app.decorateRequest('session', undefined)
  app.decorate('authenticate', async request => {
    const hash = hashToken(parseBearerToken(request))
    if (hash === undefined) return undefined
    const now = clock()
    const storedSession = await findSession(hash, new Date(now).toISOString())
    if (!storedSession) return undefined
    if (Date.parse(storedSession.renewed_at) <= now - SESSION_RENEWAL_INTERVAL) {
      // The session is still valid, so the request continues if the renewal fails.
      await app
        .write(trx => renewSession(trx, hash, now), 'unsynced')
        .catch((error: unknown) => request.log.warn({ err: error }, 'Session renewal failed'))
    }
    return { tokenHash: hash, user: toUser(storedSession) }
  })

  // Adds the administrator check to every admin route, so that no route is left unprotected by mistake.
  app.addHook('onRoute', (route: RouteOptions) => {
    if (ADMIN_PATH.test(route.url)) route.onRequest = [requireAdmin, route.onRequest ?? []].flat()
  })
})

export const requireUser: onRequestAsyncHookHandler = async request => {
  request.session = await request.server.authenticate(request)
  sessionOf(request)
}

export const requireAdmin: onRequestAsyncHookHandler = async request => {
  request.session = await request.server.authenticate(request)
  if (sessionOf(request).user.role !== 'admin') throw new ShopError('FORBIDDEN')
}

/** Throws ShopError UNAUTHORIZED. */
export function sessionOf(request: Pick<FastifyRequest, 'session'>): RequestSession {
  if (!request.session) throw new ShopError('UNAUTHORIZED')
  return request.session
}

function parseBearerToken({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
