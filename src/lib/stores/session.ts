import { computed } from 'nanostores'
import { api, configureApi } from '../api.ts'
import type { CodeLogin, CodeSent, Login, Registration, Session as SessionReply } from '../contract/accounts.ts'
import type { Api } from '../contract/index.ts'
import { MESSAGES } from '../messages.ts'
import { paths } from '../paths.ts'
import { toLoginPath } from '../return-path.ts'
import { ShopError, toErrorText } from '../shop-error.ts'
import { SESSION_EXPIRED_REDIRECT_DELAY } from '../time.ts'
import { $sessionChecked } from './session-check.ts'
import { saveNoticeForNextPage, notifySession, type SessionNotice } from './session-notice.ts'
import { $token, $user, parseUser, clearSession, saveSession, type StoredUser } from './stored-session.ts'

export type Session = { state: 'loading' } | { state: 'anonymous' } | { state: 'authenticated'; user: StoredUser }

const LOADING: Session = { state: 'loading' }
const ANONYMOUS: Session = { state: 'anonymous' }

export const $session = computed([$token, $user, $sessionChecked], (token, user, checked): Session => {
  if (token === undefined) return ANONYMOUS
  if (!checked) return LOADING
  return user ? { state: 'authenticated', user } : ANONYMOUS
})

configureApi({ onUnauthorized: expireSession })

export function setSession(reply: SessionReply): void {
  const user = parseUser(reply?.user)
  if (!user || typeof reply.token !== 'string') throw new ShopError('INTERNAL')
  saveSession(reply.token, user)
}

export async function logIn(login: Login): Promise<void> {
  await openSession(api('POST /auth/login', { body: login }), MESSAGES.loginFailed, MESSAGES.invalidCredentials)
  notifyLogin({ title: MESSAGES.loginSuccessful, text: MESSAGES.loginSuccessfulText })
}

export async function register(registration: Registration): Promise<void> {
  await openSession(
    api('POST /auth/register', { body: registration }),
    MESSAGES.signupFailed,
    MESSAGES.signupFailedText
  )
  notifyLogin({ title: MESSAGES.signupSuccessful, text: MESSAGES.signupSuccessfulText })
}

export async function requestCode(email: string): Promise<CodeSent> {
  try {
    return await api('POST /auth/send-otp', { body: { email } })
  } catch (error) {
    throw notifyFailure(error, MESSAGES.codeFailed, MESSAGES.codeTryAgain)
  }
}

export async function logInWithCode(login: CodeLogin): Promise<void> {
  await openSession(api('POST /auth/verify-otp', { body: login }), MESSAGES.codeInvalidTitle, MESSAGES.codeTryAgain)
  notifyLogin({ title: MESSAGES.loginSuccessful, text: MESSAGES.loginSuccessfulText })
}

async function openSession(call: Promise<SessionReply>, title: string, fallback: string): Promise<void> {
  try {
    setSession(await call)
  } catch (error) {
    clearSession()
    throw notifyFailure(error, title, fallback)
  }
}

function notifyLogin(notice: SessionNotice): void {
  notifySession(notice)
  saveNoticeForNextPage(notice)
}

function notifyFailure(error: unknown, title: string, fallback: string): unknown {
  if (error instanceof ShopError) notifySession({ title, text: toErrorText(error, fallback), kind: 'destructive' })
  return error
}

function expireSession(token: string, call: keyof Api): void {
  if (token !== $token.get()) return
  if (call === 'GET /auth/me' && !$sessionChecked.get()) return
  clearSession()
  const { pathname, search, hash } = location
  if (pathname === paths.login) return
  const notice = { title: MESSAGES.sessionExpired, text: MESSAGES.loginAgain, kind: 'destructive' } as const
  notifySession(notice)
  setTimeout(() => {
    if ($token.get() !== undefined) return
    saveNoticeForNextPage(notice)
    location.assign(toLoginPath(`${pathname}${search}${hash}`))
  }, SESSION_EXPIRED_REDIRECT_DELAY)
}
