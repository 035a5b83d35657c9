import type { FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { User } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { SESSION_RENEWAL } from '#lib/time.ts'
import { tokenHash } from '../actions/accounts/open-session.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/connect.ts'
import { renewSession, sessionFinder } from '../queries/sessions.ts'
import { toUser } from '../queries/users.ts'

export interface SignedIn {
  tokenHash: string
  user: User
}

declare module 'fastify' {
  interface FastifyInstance {
    authenticate(request: FastifyRequest): Promise<SignedIn | undefined>
  }
  interface FastifyRequest {
    signedIn: SignedIn | undefined
  }
}

const ADMIN_CALL = /^\/api\/admin(\/|$)/

/** Reads session and role from the database at each request, so that revoking them takes effect at once. */
export const session = fp<{ database: Database; clock: Clock }>(async (app, { database, clock }) => {
  const findSession = sessionFinder(database.kysely)

  app.decorateRequest('signedIn', undefined)
  app.decorate('authenticate', async request => {
    const hash = tokenHash(bearerOf(request))
    if (hash === undefined) return undefined
    const now = clock()
    const found = await findSession(hash, new Date(now).toISOString())
    if (!found) return undefined
    if (Date.parse(found.renewed_at) <= now - SESSION_RENEWAL) {
      // A read must not fail because the renewal can't be written.
      await app
        .write(trx => renewSession(trx, hash, now), 'unsynced')
        .catch((error: unknown) => request.log.warn({ err: error }, 'Session renewal failed'))
    }
    return { tokenHash: hash, user: toUser(found) }
  })

  // Every admin route requires an administrator, without opting in.
  app.addHook('onRoute', (route: RouteOptions) => {
    if (ADMIN_CALL.test(route.url)) route.onRequest = [requireAdmin, route.onRequest ?? []].flat()
  })
})

/** Runs before the body is read. Throws ShopError UNAUTHORIZED. */
export const requireUser: onRequestAsyncHookHandler = async request => {
  request.signedIn = await request.server.authenticate(request)
  signedIn(request)
}

export const requireAdmin: onRequestAsyncHookHandler = async request => {
  request.signedIn = await request.server.authenticate(request)
  if (signedIn(request).user.role !== 'admin') throw new ShopError('FORBIDDEN')
}

export function signedIn({ signedIn }: Pick<FastifyRequest, 'signedIn'>): SignedIn {
  if (!signedIn) throw new ShopError('UNAUTHORIZED')
  return signedIn
}

function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
