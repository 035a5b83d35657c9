import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { CodeLogin, Login, Registration, Session } from '../contract/accounts.ts'
import { t, texts } from '../contract/texts.ts'
import { ShopError, toErrorText } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { SECOND, type EpochMs } from '../time.ts'
import {
  clearSession,
  deviceHeaders,
  notifySession,
  saveNoticeForNextPage,
  setSession,
  type SessionNotice
} from './session.ts'
import { isKept, readDraft, saveDraft } from './storage.ts'
import { $toasts, dismiss } from './toasts.ts'

export interface LoginCode {
  email: string
  resendAt: EpochMs
  expiresAt: EpochMs
  entering: boolean
  /** False if the shop sends no emails. */
  sent: boolean
}

interface FailureTexts {
  title: string
  fallback: string
}

export const CODE_NOT_SENT: FailureTexts = texts({
  title: 'Failed to send OTP',
  fallback: 'Try again'
})
export const CODE_REFUSED: FailureTexts = texts({ title: 'Invalid OTP', fallback: 'Try again' })

const DRAFT_NAME = 'sent-code'
const $state = atom<LoginCode | undefined>()

export const $loginCode = readonlyType($state)

export async function logIn(login: Login): Promise<void> {
  await openSession(api('POST /auth/login', { body: login }, repeatable()), {
    title: MESSAGES.loginFailed,
    fallback: MESSAGES.invalidCredentials
  })
  notifyLogin({ title: MESSAGES.loginSuccessful, text: t('Welcome back!') })
}

export async function logInWithCode(login: CodeLogin, quiet = false): Promise<void> {
  const { isNew } = await openSession(
    api('POST /auth/verify-otp', { body: login }, repeatable()),
    quiet ? undefined : CODE_REFUSED
  )
  const text = t(isNew ? 'You are logged in.' : 'Welcome back!')
  notifyLogin({ title: MESSAGES.loginSuccessful, text })
}

export async function acceptInvitation(token: string): Promise<void> {
  setSession(await api('POST /auth/invitation', { body: { token } }))
  saveNoticeForNextPage({ title: MESSAGES.loginSuccessful, text: t('Welcome!') })
}

export async function register(registration: Registration): Promise<void> {
  const reply = api('POST /auth/register', { body: registration }, { isRepeatable: true })
  await openSession(reply, { title: t('Signup failed'), fallback: t('Failed to create account') })
  notifyLogin({ title: t('Signup successful'), text: t('Welcome to our platform!') })
}

export async function sendCode(email: string, quiet = false): Promise<void> {
  dismissFailures()
  const last = $state.get()
  if (last?.email === email && last.resendAt > Date.now())
    return saveLoginCode({ ...last, entering: true })
  try {
    const body = { email }
    const { resendAfter, expiresIn, sent } = await api(
      'POST /auth/send-otp',
      { body },
      repeatable()
    )
    const resendAt = Date.now() + resendAfter * SECOND
    const expiresAt = Date.now() + expiresIn * SECOND
    saveLoginCode({ email, resendAt, expiresAt, entering: true, sent })
  } catch (error) {
    if (!quiet) notifyFailure(error, CODE_NOT_SENT)
    throw error
  }
}

export function restoreLoginCode(): void {
  const sent = readDraft<LoginCode>(DRAFT_NAME)
  if (typeof sent?.email !== 'string' || !(Number(sent.expiresAt) > Date.now())) return
  $state.set({
    email: sent.email,
    resendAt: Number(sent.resendAt) || 0,
    expiresAt: Number(sent.expiresAt),
    entering: sent.entering === true,
    sent: sent.sent !== false
  })
}

export function showPasswordForm(): void {
  const sent = $state.get()
  if (sent) saveLoginCode({ ...sent, entering: false })
}

/** For the login page, which opens next. */
export function preferPassword(email: string): void {
  showPasswordForm()
  saveDraft('login', { tab: 'register', email, displayName: '' })
}

export function clearLoginCode(): void {
  saveLoginCode(undefined)
}

function repeatable() {
  return { isRepeatable: true, headers: deviceHeaders() }
}

function saveLoginCode(sent: LoginCode | undefined) {
  $state.set(sent)
  saveDraft(DRAFT_NAME, sent)
}

/** By the specification, a failed login clears the session. */
async function openSession(
  call: Promise<Session>,
  failure: FailureTexts | undefined
): Promise<Session> {
  try {
    const session = await call
    setSession(session)
    return session
  } catch (error) {
    clearSession()
    if (failure) notifyFailure(error, failure)
    throw error
  }
}

function notifyLogin(notice: SessionNotice) {
  if (!isKept('token')) return
  notifySession(notice)
  saveNoticeForNextPage(notice)
}

function notifyFailure(error: unknown, { title, fallback }: FailureTexts) {
  if (error instanceof ShopError)
    notifySession({ title, text: toErrorText(error, fallback), kind: 'destructive' })
}

/** "Login failed" would stay beside the code. */
function dismissFailures() {
  for (const { id, kind } of $toasts.get()) if (kind === 'destructive') dismiss(id)
}
