import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import type { AuditKind } from '#lib/constants.ts'
import {
  AdminUser,
  Done,
  StaffChange,
  UserList,
  UserQuery,
  Verification
} from '#lib/contract/accounts.ts'
import { AuditEntry, AuditQuery } from '#lib/contract/admin.ts'
import { IdPath } from '#lib/contract/values.ts'
import { route } from '../platform/http/validate.ts'
import { isoNow } from '#lib/time.ts'
import { changeStaff } from './admins.ts'
import { listChanges, record } from './audit.ts'
import { clientOf } from './attempt-limits.ts'
import { deleteSessionsOf, markVerified, requireRecentVerification, sessionOf } from './sessions.ts'
import { readUser, readUsers } from './users.ts'
import { verifyIdentity } from './verify.ts'

const texts = { identityVerified: 'Verified' }

export const userRoutes: FastifyPluginAsyncZod = async app => {
  const read = (id: string): Promise<AdminUser> =>
    readUser(app.database.kysely, id, isoNow(app.clock))

  app.get(
    '/users',
    route('List users (paginated)', UserList, { querystring: UserQuery }),
    ({ query }) => readUsers(app.database.kysely, query, isoNow(app.clock))
  )

  app.get('/users/:id', route('Get a user', AdminUser, { params: IdPath }), ({ params }) =>
    read(params.id)
  )

  app.post(
    '/users/:id/staff',
    route('Make a user owner, manager, kitchen staff or customer', AdminUser, {
      params: IdPath,
      body: StaffChange
    }),
    async request => {
      requireRecentVerification(request, app.clock())
      await changeStaff(app, sessionOf(request).user, request.params.id, request.body)
      return read(request.params.id)
    }
  )

  app.post(
    '/users/:id/logout',
    route('End all sessions of a user', Done, { params: IdPath }),
    async request => {
      const { _id: id } = await read(request.params.id)
      const actor = sessionOf(request).user
      await app.write(async trx => {
        await deleteSessionsOf(trx, id)
        await record(trx, { actor, at: isoNow(app.clock), kind: 'user', id, action: 'logged out' })
      })
      return { message: 'Logged out everywhere' }
    }
  )

  app.post(
    '/verification',
    route('Verify password or code again, for calls that need a recent verification', Done, {
      body: Verification
    }),
    async request => {
      const { user, tokenHash } = sessionOf(request)
      await verifyIdentity(app, user, request.body.proof, clientOf(request), (trx, _account, now) =>
        markVerified(trx, tokenHash, now)
      )
      return { message: texts.identityVerified }
    }
  )
}

export const auditRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/audit',
    route('List the audit log, newest first', z.array(AuditEntry), { querystring: AuditQuery }),
    request => {
      const { kind, id } = request.query
      const kinds = kind?.split(',') as AuditKind[] | undefined
      return listChanges(app.database.kysely, { kinds, id }, sessionOf(request).user.staff)
    }
  )
}
