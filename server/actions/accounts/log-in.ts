import type { CodeLogin, Login, Session } from '#lib/contract/accounts.ts'
import type { AccountDeps } from './deps.ts'
import { openSession } from './open-session.ts'
import { verifyCode } from './verify-code.ts'
import { verifyPassword } from './verify-password.ts'

/** Throws ShopError INVALID_CREDENTIALS, TOO_MANY_REQUESTS, UNAVAILABLE. */
export function logIn(deps: AccountDeps, login: Login, ip: string): Promise<Session> {
  // A session lost in a power cut only costs another login.
  return verifyPassword(deps, login, ip, openSession, 'unsynced')
}

/** Creates the account if there is none. Throws ShopError INVALID_OTP, OTP_EXPIRED, TOO_MANY_REQUESTS. */
export function logInByCode(deps: AccountDeps, login: CodeLogin, ip: string): Promise<Session> {
  return verifyCode(deps, login, ip, openSession)
}
