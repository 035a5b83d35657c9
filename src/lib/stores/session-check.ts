import { atom, readonlyType } from 'nanostores'
import { api, configureApi } from '../api.ts'
import type { User } from '../contract/accounts.ts'
import { ShopError } from '../shop-error.ts'
import { showSavedNotice } from './session-notice.ts'
import { $token, $user, parseUser, clearSession, saveUser } from './stored-session.ts'

let check: Promise<User | ShopError | undefined> | undefined
const $state = atom(false)

export const $sessionChecked = readonlyType($state)

configureApi({ token: () => $token.get() })

/** Runs once per page. Clears the session without a notice if the server rejects it (401). */
export function checkSession(): Promise<User | ShopError | undefined> {
  return (check ??= checkStoredSession())
}

async function checkStoredSession(): Promise<User | ShopError | undefined> {
  showSavedNotice()
  const token = $token.get()
  try {
    if (token !== undefined) return await fetchUser()
    if ($user.get()) clearSession()
    return undefined
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.status === 401 && token === $token.get()) clearSession()
    return error
  } finally {
    $state.set(true)
  }
}

export async function fetchUser(): Promise<User> {
  const token = $token.get()
  const user = await api('GET /auth/me')
  storeUser(user, token)
  return user
}

export function storeUser(reply: User, token: string | undefined): void {
  const user = parseUser(reply)
  // The reply may come from a captive portal or a proxy instead of the server.
  if (!user) throw new ShopError('INTERNAL')
  if (token !== undefined && token === $token.get()) saveUser(user)
}
