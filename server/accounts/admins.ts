import { randomUUID } from 'node:crypto'
import { FIRST_ADMIN_NAME } from '#lib/constants.ts'
import type { StaffChange } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { ConfigError, type Config } from '../config.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import { isoNow } from '#lib/time.ts'
import { randomText } from '../platform/process/secret.ts'
import { record, type Actor } from './audit.ts'
import {
  type AccountDeps,
  findLiveUser,
  hasOwner,
  insertUser,
  promoteUser,
  setStaff
} from './users.ts'
import { isTooCommonForAdmin } from './passwords.ts'
import { deleteSessionsOf } from './sessions.ts'

export interface FirstAdmin {
  email: string
  password?: string
}

/** Returns undefined if there is an owner. Several processes may call it at once. */
export async function createFirstAdmin(
  {
    database,
    write,
    clock,
    passwords
  }: Pick<AccountDeps, 'database' | 'write' | 'clock' | 'passwords'>,
  { adminEmail: email, adminPassword }: Pick<Config, 'adminEmail' | 'adminPassword'>
): Promise<FirstAdmin | undefined> {
  if (await hasOwner(database.kysely)) return undefined
  if (adminPassword !== undefined && isTooCommonForAdmin(adminPassword))
    throw new ConfigError(
      'ADMIN_PASSWORD: is easy to guess; use three or four unrelated words, ' +
        'such as "kolam river bicycle"'
    )
  const password = adminPassword ?? generatePassword()
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

function generatePassword(): string {
  const groups = Array.from({ length: 4 }, () => randomText(5).toLowerCase())
  return groups.join('-')
}

/** Throws USER_NOT_FOUND, USER_NOT_VERIFIED, LAST_ADMIN, EDIT_CONFLICT. */
export async function changeStaff(
  { database, write, clock }: Pick<AccountDeps, 'database' | 'write' | 'clock'>,
  actor: Actor,
  id: string,
  change: StaffChange
): Promise<void> {
  const user = await findLiveUser(database.kysely, id)
  if (!user) throw new ShopError('USER_NOT_FOUND')
  const { from, to } = change
  // A person who registered with somebody else's email address must not join the staff.
  if (to !== null && user.verified_at === null) throw new ShopError('USER_NOT_VERIFIED')
  await write(trx =>
    ensureOwnerRemains(trx, async () => {
      if (!(await setStaff(trx, id, change))) {
        if ((await findLiveUser(trx, id))?.staff === to) return
        throw new ShopError('EDIT_CONFLICT')
      }
      const [before, after] = [{ staff: from }, { staff: to }]
      await record(trx, {
        actor,
        at: isoNow(clock),
        kind: 'user',
        id,
        action: 'role changed',
        before,
        after
      })
    })
  )
}

export async function ensureOwnerRemains<Result>(
  trx: Trx,
  change: () => Promise<Result>
): Promise<Result> {
  // Raising the counter locks it, so that two concurrent changes cannot remove the last two owners.
  await raiseCounter(trx, 'roles')
  const result = await change()
  if (!(await hasOwner(trx))) throw new ShopError('LAST_ADMIN')
  return result
}
