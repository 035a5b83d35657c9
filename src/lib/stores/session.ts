import { computed } from 'nanostores'
import { api, configureApi } from '../api.ts'
import type { CodeLogin, CodeSent, Login, Registration, Session as Opened } from '../contract/accounts.ts'
import type { Api } from '../contract/index.ts'
import { MESSAGES } from '../messages.ts'
import { paths } from '../paths.ts'
import { loginPath } from '../return-path.ts'
import { ShopError, wordsOf } from '../shop-error.ts'
import { SESSION_EXPIRED_REDIRECT } from '../time.ts'
import { $checked } from './session-check.ts'
import { carry, notifySession, type SessionNotice } from './session-notice.ts'
import { $token, $user, asUser, forgetSession, keepSession, type StoredUser } from './stored-session.ts'

export type Session = { state: 'loading' } | { state: 'anonymous' } | { state: 'authenticated'; user: StoredUser }

const LOADING: Session = { state: 'loading' }
const ANONYMOUS: Session = { state: 'anonymous' }

/** Who is there. While a page is built and taken over it is loading, since only the browser knows. */
export const $session = computed([$token, $user, $checked], (token, user, checked): Session => {
  if (token === undefined) return ANONYMOUS
  if (!checked) return LOADING
  return user ? { state: 'authenticated', user } : ANONYMOUS
})

configureApi({ onUnauthorized: endSession })

/** Sets the session that the shop has opened. Throws ShopError INTERNAL when it is none. */
export function setSession(opened: Opened): void {
  const user = asUser(opened?.user)
  if (!user || typeof opened.token !== 'string') throw new ShopError('INTERNAL')
  keepSession(opened.token, user)
}

export async function logIn(login: Login): Promise<void> {
  await enter(api('POST /auth/login', { body: login }), MESSAGES.loginFailed, MESSAGES.invalidCredentials)
  welcome({ title: MESSAGES.loginSuccessful, text: MESSAGES.loginSuccessfulText })
}

export async function register(registration: Registration): Promise<void> {
  await enter(api('POST /auth/register', { body: registration }), MESSAGES.signupFailed, MESSAGES.signupFailedText)
  welcome({ title: MESSAGES.signupSuccessful, text: MESSAGES.signupSuccessfulText })
}

/** Has a one-time code mailed. Throws ShopError, having said so. */
export async function requestCode(email: string): Promise<CodeSent> {
  try {
    return await api('POST /auth/send-otp', { body: { email } })
  } catch (error) {
    throw refused(error, MESSAGES.codeFailed, MESSAGES.codeTryAgain)
  }
}

export async function logInWithCode(login: CodeLogin): Promise<void> {
  await enter(api('POST /auth/verify-otp', { body: login }), MESSAGES.codeInvalidTitle, MESSAGES.codeTryAgain)
  welcome({ title: MESSAGES.loginSuccessful, text: MESSAGES.loginSuccessfulText })
}

async function enter(call: Promise<Opened>, title: string, otherwise: string): Promise<void> {
  try {
    setSession(await call)
  } catch (error) {
    forgetSession()
    throw refused(error, title, otherwise)
  }
}

function welcome(notice: SessionNotice): void {
  notifySession(notice)
  carry(notice)
}

/** Says what went wrong, in the shop's words where it has any. */
function refused(error: unknown, title: string, otherwise: string): unknown {
  if (error instanceof ShopError) notifySession({ title, text: wordsOf(error, otherwise), kind: 'destructive' })
  return error
}

function endSession(token: string, call: keyof Api): void {
  // A call that was on its way while somebody logged in anew says nothing about the new session.
  if (token !== $token.get()) return
  // The check when a page starts is silent.
  if (call === 'GET /auth/me' && !$checked.get()) return
  forgetSession()
  const { pathname, search, hash } = location
  if (pathname === paths.login) return
  const notice = { title: MESSAGES.sessionExpired, text: MESSAGES.loginAgain, kind: 'destructive' } as const
  notifySession(notice)
  setTimeout(() => {
    // Another tab may have logged in again.
    if ($token.get() !== undefined) return
    carry(notice)
    location.assign(loginPath(`${pathname}${search}${hash}`))
  }, SESSION_EXPIRED_REDIRECT)
}
