import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AuditKind } from '#lib/constants.ts'
import { AdminUser, Done, StaffChange, UserList, UserQuery, Verification } from '#lib/contract/accounts.ts'
import { AuditEntry, AuditQuery } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { changeStaff } from './admins.ts'
import { listChanges, record } from './audit.ts'
import { clientOf } from './devices.ts'
import { deleteSessionsOf, markVerified, requireRecentVerification, sessionOf } from './sessions.ts'
import { findAdminUser, readUsers } from './users.ts'
import { verifyIdentity } from './verify.ts'

export const userRoutes: FastifyPluginAsyncZod = async app => {
  const readUser = async (id: string): Promise<AdminUser> => {
    const user = await findAdminUser(app.database.kysely, id, isoNow(app.clock))
    if (!user) throw new ShopError('USER_NOT_FOUND')
    return user
  }

  app.get(
    '/users',
    { schema: { summary: 'List users (paginated)', querystring: UserQuery, response: { 200: UserList } } },
    ({ query }) => readUsers(app.database.kysely, query, isoNow(app.clock))
  )

  app.get(
    '/users/:id',
    { schema: { summary: 'Get a user', params: IdPath, response: { 200: AdminUser } } },
    ({ params }) => readUser(params.id)
  )

  app.post(
    '/users/:id/staff',
    {
      schema: {
        summary: 'Make a user owner, manager, kitchen staff or customer',
        params: IdPath,
        body: StaffChange,
        response: { 200: AdminUser }
      }
    },
    async request => {
      requireRecentVerification(request, app.clock())
      await changeStaff(app, sessionOf(request).user, request.params.id, request.body)
      return readUser(request.params.id)
    }
  )

  app.post(
    '/users/:id/logout',
    { schema: { summary: 'End all sessions of a user', params: IdPath, response: { 200: Done } } },
    async request => {
      const { _id: id } = await readUser(request.params.id)
      const actor = sessionOf(request).user
      await app.write(async trx => {
        await deleteSessionsOf(trx, id)
        await record(trx, { actor, at: isoNow(app.clock), kind: 'user', id, action: 'logged out' })
      })
      return { message: ADMIN_MESSAGES.userLoggedOut }
    }
  )

  app.post(
    '/verification',
    {
      schema: {
        summary: 'Verify password or code again, for calls that need a recent verification',
        body: Verification,
        response: { 200: Done }
      }
    },
    async request => {
      const { user, tokenHash } = sessionOf(request)
      await verifyIdentity(app, user, request.body.proof, clientOf(request), (trx, _account, now) =>
        markVerified(trx, tokenHash, now)
      )
      return { message: ADMIN_MESSAGES.identityVerified }
    }
  )
}

export const auditRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/audit',
    {
      schema: {
        summary: 'List the audit log, newest first',
        querystring: AuditQuery,
        response: { 200: z.array(AuditEntry) }
      }
    },
    ({ query: { kind, id } }) =>
      listChanges(app.database.kysely, { kinds: kind?.split(',') as AuditKind[] | undefined, id })
  )
}
