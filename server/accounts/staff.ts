import type { StaffChange } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { type IsoTime, isoNow } from '#lib/time.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { withdrawMail } from '../platform/mail/outbox.ts'
import { type Actor, record } from './audit.ts'
import { findLiveUser, hasOwner, setStaff } from './users.ts'

export const INVITATION_MAIL_PREFIX = 'invitation-'

export async function changeStaff(
  { database, write, clock }: DataDeps,
  actor: Actor,
  id: string,
  change: StaffChange
): Promise<void> {
  const user = await findLiveUser(database.kysely, id)
  if (!user) throw new ShopError('USER_NOT_FOUND')
  // A person who registered with somebody else's email address must not join the staff.
  if (change.to !== null && user.verified_at === null) throw new ShopError('USER_NOT_VERIFIED')
  await write(async trx => {
    await changeRole(trx, { actor, id, ...change, at: isoNow(clock) })
    await deleteInvitations(trx, user.email)
  })
}

type RoleChange = StaffChange & { actor: Actor; id: string; at: IsoTime }

export function changeRole(trx: Trx, { actor, id, from, to, at }: RoleChange): Promise<void> {
  return ensureOwnerRemains(trx, async () => {
    if (!(await setStaff(trx, id, { from, to }))) {
      if ((await findLiveUser(trx, id))?.staff === to) return
      throw new ShopError('EDIT_CONFLICT')
    }
    const entry = { actor, at, kind: 'user', id, action: 'role changed' } as const
    await record(trx, { ...entry, before: { staff: from }, after: { staff: to } })
  })
}

export async function ensureOwnerRemains<Result>(
  trx: Trx,
  change: () => Promise<Result>
): Promise<Result> {
  // Locked, so that two concurrent changes cannot remove the last two owners.
  await raiseCounter(trx, 'roles')
  const result = await change()
  if (!(await hasOwner(trx))) throw new ShopError('LAST_ADMIN')
  return result
}

/** Of an address whose account gets another role or address, or is deleted. */
export async function deleteInvitations(trx: Trx, email: string): Promise<void> {
  const open = trx.deleteFrom('invitations').where('email', '=', email)
  for (const { id } of await open.returning('id').execute())
    await withdrawMail(trx, INVITATION_MAIL_PREFIX + id)
}
