import { atom, readonlyType } from 'nanostores'
import { api, configureApi } from '../api.ts'
import type { User } from '../contract/accounts.ts'
import { ShopError } from '../shop-error.ts'
import { showCarried } from './session-notice.ts'
import { $token, $user, asUser, forgetSession, keepUser } from './stored-session.ts'

let check: Promise<User | ShopError | undefined> | undefined
const $done = atom(false)

/** Whether the shop has been asked about the session that this page found. */
export const $checked = readonlyType($done)

configureApi({ token: () => $token.get() })

/**
 * Asks the shop, once for each page, whether the stored session still holds: if not, it goes without a word; a shop that
 * can't be reached leaves it. Gives what the shop has answered, and nothing to a visitor.
 */
export function startSession(): Promise<User | ShopError | undefined> {
  return (check ??= checkStored())
}

async function checkStored(): Promise<User | ShopError | undefined> {
  showCarried()
  const token = $token.get()
  try {
    if (token !== undefined) return await readUser()
    if ($user.get()) forgetSession()
    return undefined
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.status === 401 && token === $token.get()) forgetSession()
    return error
  } finally {
    $done.set(true)
  }
}

/** The user as the shop has it now, which is stored too. Throws ShopError. */
export async function readUser(): Promise<User> {
  const token = $token.get()
  const user = await api('GET /auth/me')
  storeUser(user, token)
  return user
}

/** Stores what the shop says of the user of a token, unless that is no longer who is logged in. Throws ShopError INTERNAL. */
export function storeUser(reply: User, token: string | undefined): void {
  const user = asUser(reply)
  // What answers may be a captive portal or a proxy's error page rather than the shop.
  if (!user) throw new ShopError('INTERNAL')
  if (token !== undefined && token === $token.get()) keepUser(user)
}
