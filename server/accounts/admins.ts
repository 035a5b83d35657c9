import { t } from '#lib/contract/texts.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import { FIRST_ADMIN_NAME } from '#lib/constants.ts'
import {
  StaffChange,
  AdminUser,
  Done,
  UserList,
  UserQuery,
  Verification
} from '#lib/contract/accounts.ts'
import { IdPath } from '#lib/contract/values.ts'
import { isoNow } from '#lib/time.ts'
import { ConfigError, type Config } from '../config.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import { randomText } from '../platform/process/secret.ts'
import { clientOf } from './attempt-limits.ts'
import { record } from './audit.ts'
import { isTooCommonForAdmin } from './passwords.ts'
import { deleteSessionsOf, markVerified, requireRecentVerification, sessionOf } from './sessions.ts'
import { changeStaff } from './staff.ts'
import {
  type AccountDeps,
  hasOwner,
  insertUser,
  promoteUser,
  readUser,
  readUsers
} from './users.ts'
import { verifyIdentity } from './verify.ts'

export interface FirstAdmin {
  email: string
  password?: string
}

/** Returns undefined if there is an owner. */
export async function createFirstAdmin(
  { database, write, clock, passwords }: DataDeps & Pick<AccountDeps, 'passwords'>,
  { adminEmail: email, adminPassword }: Pick<Config, 'adminEmail' | 'adminPassword'>
): Promise<FirstAdmin | undefined> {
  if (await hasOwner(database.kysely)) return undefined
  if (adminPassword !== undefined && isTooCommonForAdmin(adminPassword))
    throw new ConfigError(
      'ADMIN_PASSWORD: is easy to guess; use three or four unrelated words, ' +
        'such as "kolam river bicycle"'
    )
  const password =
    adminPassword ?? Array.from({ length: 4 }, () => randomText(5).toLowerCase()).join('-')
  const now = isoNow(clock)
  const draft = {
    id: randomUUID(),
    email,
    name: FIRST_ADMIN_NAME,
    staff: 'owner',
    password_hash: await passwords.hash(password),
    verified_at: now,
    printed_password_at: adminPassword === undefined ? now : null,
    created_at: now
  } as const
  const isCreated = await write(async trx => {
    await raiseCounter(trx, 'first-admin')
    if (await hasOwner(trx)) return false
    if (await insertUser(trx, draft)) return true
    // Somebody else may have registered this address, so its password and sessions end.
    const { id } = await promoteUser(trx, draft)
    await deleteSessionsOf(trx, id)
    return true
  })
  if (!isCreated) return undefined
  return { email, ...(adminPassword === undefined && { password }) }
}

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
      requireRecentVerification(request)
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
      return { message: t('Logged out everywhere') }
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
      return { message: t('Verified') }
    }
  )
}
