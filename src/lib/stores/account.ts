import { atom, readonlyType } from 'nanostores'
import type { Language } from '../constants.ts'
import { parseAddress, type AddressForm } from '../account/address.ts'
import { api } from '../api.ts'
import type {
  CodeLogin,
  EmailChangeRequest,
  MyData,
  PasswordChange,
  Profile,
  Session,
  User
} from '../contract/accounts.ts'
import { t, text } from '../contract/texts.ts'
import type { Credential } from '../contract/values.ts'
import { assertShopError, ShopError } from '../errors.ts'
import { MESSAGES } from '../messages.ts'
import { localPath } from '../paths.ts'
import { SECOND, type EpochMs } from '../time.ts'
import type { LoadState } from './load-state.ts'
import {
  $token,
  $user,
  checkSession,
  deviceHeaders,
  fetchUser,
  notifySession,
  saveDevice,
  setSession,
  storeUser
} from './session.ts'
import { readDraft, saveDraft, writeText } from './storage.ts'
import { clearBrowserData } from './cart-sync.ts'
import { clearLoginCode } from './sign-in.ts'
import { notify } from './toasts.ts'

export type ProfileDetails = Omit<
  User,
  '_id' | 'role' | 'staff' | 'verified' | 'language' | 'address'
> & {
  address: AddressForm
}

const EMAIL_DRAFT = 'email-change'
const EMAIL_CHANGED = text('Email address changed')

const $state = atom<LoadState<ProfileDetails>>({ state: 'loading' })

export const $profile = readonlyType($state)

export async function loadProfile(userId: string): Promise<void> {
  const isRetry = $state.get().state === 'failed'
  $state.set({ state: 'loading' })
  const checked = await checkSession()
  const isUsable = !isRetry && (checked instanceof ShopError || checked?._id === userId)
  showProfile(isUsable ? checked : await fetchUser().catch(assertShopError))
}

export async function saveProfile(change: Profile): Promise<void> {
  const token = $token.get()
  const user = await api('PUT /auth/profile', { body: change }, { isRepeatable: true })
  storeUser(user, token)
  showProfile(user)
  // It may contain the old address.
  saveDraft('checkout', undefined)
  notify({ title: t('Profile saved') })
}

/** Then opens the same page in this language. */
export async function chooseLanguage(code: Language): Promise<void> {
  const [token, user] = [$token.get(), $user.get()]
  if (!user) return
  const body = { name: user.name, language: code }
  storeUser(await api('PUT /auth/profile', { body }, { isRepeatable: true }), token)
  writeText('localStorage', 'language', code)
  location.assign(localPath(location.pathname, code))
}

export async function changePassword(change: PasswordChange): Promise<void> {
  const session = await api('PUT /auth/password', { body: change }, { headers: deviceHeaders() })
  clearLoginCode()
  showNewSession(session, t('Password changed'))
}

export interface EmailChange {
  email: string
  expiresAt: EpochMs
  sent: boolean
}

/** Returns undefined if the address has changed without a code. */
export async function requestEmailChange(
  request: EmailChangeRequest
): Promise<EmailChange | undefined> {
  const { expiresIn, sent, session } = await api(
    'POST /auth/email-code',
    { body: request },
    { headers: deviceHeaders() }
  )
  clearLoginCode()
  if (session) {
    showNewSession(session, t(EMAIL_CHANGED))
    return undefined
  }
  const change = { email: request.email, expiresAt: Date.now() + expiresIn * SECOND, sent }
  saveDraft(EMAIL_DRAFT, change)
  return change
}

export function readEmailChange(): EmailChange | undefined {
  const draft = readDraft<EmailChange>(EMAIL_DRAFT)
  const expiresAt = Number(draft?.expiresAt)
  return typeof draft?.email === 'string' && expiresAt > Date.now()
    ? { email: draft.email, expiresAt, sent: draft.sent !== false }
    : undefined
}

export function stopEmailChange(): void {
  saveDraft(EMAIL_DRAFT, undefined)
}

export async function changeEmail(change: CodeLogin): Promise<void> {
  const session = await api('PUT /auth/email', { body: change })
  stopEmailChange()
  showNewSession(session, t(EMAIL_CHANGED))
}

export async function logOutEverywhere(): Promise<void> {
  const { message } = await api('POST /auth/logout-everywhere')
  saveDevice(undefined)
  clearBrowserData()
  notifySession({ title: MESSAGES.loggedOut, text: message })
}

export function readMyData(): Promise<MyData> {
  return api('GET /auth/my-data')
}

export async function deleteAccount(credential: Credential): Promise<void> {
  await api('DELETE /auth/me', { body: { proof: credential } }, { headers: deviceHeaders() })
  saveDevice(undefined)
  clearBrowserData()
  notifySession({ title: MESSAGES.accountDeleted })
}

function showNewSession(session: Session, title: string) {
  setSession(session)
  showProfile(session.user)
  notifySession({ title, text: t('You have been logged out on all other devices.') })
}

function showProfile(reply: User | ShopError) {
  // By the specification, 404: no profile.
  if (reply instanceof ShopError && reply.replyStatus !== 404)
    return $state.set({ state: 'failed', error: reply })
  const { email, name, phoneNumber, address, hasPassword } =
    reply instanceof ShopError ? { ...NO_PROFILE, email: $user.get()?.email ?? '' } : reply
  const value = { email, name, phoneNumber, address: parseAddress(address), hasPassword }
  $state.set({ state: 'ready', value })
}

const NO_PROFILE = { name: '', phoneNumber: '', address: null, hasPassword: false }
