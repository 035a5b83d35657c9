import type { CodeLogin, Login, Session } from '#lib/contract/accounts.ts'
import type { AccountDeps } from './deps.ts'
import { createSession } from './create-session.ts'
import { verifyCode } from './verify-code.ts'
import { verifyPassword } from './verify-password.ts'

/** Throws INVALID_CREDENTIALS, TOO_MANY_REQUESTS, UNAVAILABLE. */
export function logIn(deps: AccountDeps, login: Login, ip: string): Promise<Session> {
  // `unsynced` is faster. If a power cut deletes the session, the user only has to log in again.
  return verifyPassword(deps, login, ip, createSession, 'unsynced')
}

/** Creates the account if there is none. Throws INVALID_OTP, OTP_EXPIRED, TOO_MANY_REQUESTS. */
export function logInByCode(deps: AccountDeps, login: CodeLogin, ip: string): Promise<Session> {
  return verifyCode(deps, login, ip, createSession)
}
