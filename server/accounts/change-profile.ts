import type { Profile, User } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { toUser, updateUser } from './users.ts'
import type { AccountDeps } from './deps.ts'

/** Omitted fields stay unchanged. Throws UNAUTHORIZED if the account was deleted. */
export async function changeProfile(
  { write }: Pick<AccountDeps, 'write'>,
  user: User,
  { name, phoneNumber, address }: Profile
): Promise<User> {
  const changes = {
    name,
    ...(phoneNumber !== undefined && { phone: phoneNumber }),
    ...(address !== undefined && { address: address && JSON.stringify(address) })
  }
  const account = await write(trx => updateUser(trx, user._id, changes))
  if (!account) throw new ShopError('UNAUTHORIZED')
  return toUser(account)
}
