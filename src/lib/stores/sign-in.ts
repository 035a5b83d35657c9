import { atom, readonlyType } from 'nanostores'
import { api, configureApi, type Api } from '../api.ts'
import { readDraft, saveDraft } from '../browser.ts'
import type { CodeLogin, Login, Registration, Session as SessionReply } from '../contract/accounts.ts'
import { ShopError, toErrorText } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { paths, toLoginPath } from '../paths.ts'
import { SECOND, SESSION_EXPIRED_REDIRECT_DELAY } from '../time.ts'
import {
  $sessionChecked,
  $token,
  clearSession,
  notifySession,
  saveNoticeForNextPage,
  setSession,
  type SessionNotice
} from './session.ts'

export interface LoginCode {
  email: string
  /** In ms since the epoch. */
  resendAt: number
  /** In ms since the epoch. */
  expiresAt: number
  entering: boolean
}

const DRAFT_NAME = 'sent-code'
const $state = atom<LoginCode | undefined>()

/** Also stored in `sessionStorage`, because a phone may discard the tab while the mail app is open. */
export const $loginCode = readonlyType($state)

export async function logIn(login: Login): Promise<void> {
  await openSession(api('POST /auth/login', { body: login }), MESSAGES.loginFailed, MESSAGES.invalidCredentials)
  notifyLogin({ title: MESSAGES.loginSuccessful, text: MESSAGES.loginSuccessfulText })
}

export async function logInWithCode(login: CodeLogin): Promise<void> {
  await openSession(api('POST /auth/verify-otp', { body: login }), MESSAGES.codeInvalidTitle, MESSAGES.codeTryAgain)
  notifyLogin({ title: MESSAGES.loginSuccessful, text: MESSAGES.loginSuccessfulText })
}

export async function register(registration: Registration): Promise<void> {
  const reply = api('POST /auth/register', { body: registration })
  await openSession(reply, MESSAGES.signupFailed, MESSAGES.signupFailedText)
  notifyLogin({ title: MESSAGES.signupSuccessful, text: MESSAGES.signupSuccessfulText })
}

export async function sendCode(email: string): Promise<void> {
  const sent = $state.get()
  if (sent?.email === email && sent.resendAt > Date.now()) return saveLoginCode({ ...sent, entering: true })
  try {
    const { resendAfter, expiresIn, message } = await api('POST /auth/send-otp', { body: { email } })
    const now = Date.now()
    saveLoginCode({ email, resendAt: now + resendAfter * SECOND, expiresAt: now + expiresIn * SECOND, entering: true })
    notifySession({ title: MESSAGES.codeSentTitle, text: message })
  } catch (error) {
    throw notifyFailure(error, MESSAGES.codeFailed, MESSAGES.codeTryAgain)
  }
}

export function restoreLoginCode(): void {
  const sent = readDraft<LoginCode>(DRAFT_NAME)
  if (typeof sent?.email !== 'string' || !(Number(sent.expiresAt) > Date.now())) return
  $state.set({
    email: sent.email,
    resendAt: Number(sent.resendAt) || 0,
    expiresAt: Number(sent.expiresAt),
    entering: sent.entering === true
  })
}

export function showPasswordForm(): void {
  const sent = $state.get()
  if (sent) saveLoginCode({ ...sent, entering: false })
}

export function clearLoginCode(): void {
  saveLoginCode(undefined)
}

/** From now on, if the server rejects the session, the shopper is told and sent to the login page. */
export function redirectWhenExpired(): void {
  configureApi({ onUnauthorized: expireSession })
}

function saveLoginCode(sent: LoginCode | undefined): void {
  $state.set(sent)
  saveDraft(DRAFT_NAME, sent)
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
