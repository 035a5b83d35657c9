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
  /** As the session is kept. */
  tokenHash: string
  user: User
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Who asks, by the token that was sent; undefined for a visitor and for a token that is not valid. */
    whoAsks(request: FastifyRequest): Promise<SignedIn | undefined>
  }
  interface FastifyRequest {
    signedIn: SignedIn | undefined
  }
}

const ADMIN_CALL = /^\/api\/admin(\/|$)/

/** Tells who asks, from the database at each request: a session that was ended or a role that was taken away ends at once. */
export const session = fp<{ database: Database; clock: Clock }>(async (app, { database, clock }) => {
  const findSession = sessionFinder(database.kysely)

  app.decorateRequest('signedIn', undefined)
  app.decorate('whoAsks', async request => {
    const hash = tokenHash(bearerOf(request))
    if (hash === undefined) return undefined
    const now = clock()
    const found = await findSession(hash, new Date(now).toISOString())
    if (!found) return undefined
    if (Date.parse(found.renewed_at) <= now - SESSION_RENEWAL) {
      // Who only reads is not refused because nothing can be written.
      await app
        .write(trx => renewSession(trx, hash, now), 'unsynced')
        .catch((error: unknown) => request.log.warn({ err: error }, 'A session could not be renewed'))
    }
    return { tokenHash: hash, user: toUser(found) }
  })

  // Nobody has to remember it.
  app.addHook('onRoute', (route: RouteOptions) => {
    if (ADMIN_CALL.test(route.url)) route.onRequest = [requireAdmin, route.onRequest ?? []].flat()
  })
})

/** Lets shoppers in, before anything that they sent is read. Throws ShopError UNAUTHORIZED. */
export const requireUser: onRequestAsyncHookHandler = async request => {
  request.signedIn = await request.server.whoAsks(request)
  signedIn(request)
}

/** Lets administrators in, whatever the browser believes. Throws ShopError UNAUTHORIZED, FORBIDDEN. */
export const requireAdmin: onRequestAsyncHookHandler = async request => {
  request.signedIn = await request.server.whoAsks(request)
  if (signedIn(request).user.role !== 'admin') throw new ShopError('FORBIDDEN')
}

/** Who asks, on a route that requires it. Throws ShopError UNAUTHORIZED. */
export function signedIn({ signedIn }: Pick<FastifyRequest, 'signedIn'>): SignedIn {
  if (!signedIn) throw new ShopError('UNAUTHORIZED')
  return signedIn
}

function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}
