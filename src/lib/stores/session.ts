import { atom, computed, readonlyType } from 'nanostores'
import { api, configureApi, type Api } from '../api.ts'
import { hasTypes, logFailure, parseJson } from '../browser.ts'
import { DEVICE_HEADER } from '../constants.ts'
import type { Session, User } from '../contract/accounts.ts'
import { t } from '../contract/texts.ts'
import { ShopError } from '../errors.ts'
import { LOGIN_AGAIN } from '../messages.ts'
import { paths, toLoginPath } from '../paths.ts'
import { SESSION_EXPIRED_REDIRECT_DELAY } from '../time.ts'
import {
  clearPersonalData,
  persistentAtom,
  readDraft,
  readStored,
  saveDraft,
  writeStored
} from './storage.ts'
import { notify, type Notice } from './toasts.ts'

type StoredUser = Pick<User, '_id' | 'email' | 'name' | 'role' | 'staff'> &
  Partial<Pick<User, 'language'>>
export type SessionState =
  | { state: 'loading' }
  | { state: 'anonymous' }
  | { state: 'authenticated'; user: StoredUser }
export type SessionNotice = Omit<Notice, 'topic'>

const LOADING: SessionState = { state: 'loading' }
const ANONYMOUS: SessionState = { state: 'anonymous' }

// Its storage event keeps the tabs in sync.
const $tokenState = persistentAtom<string | undefined>(
  'token',
  undefined,
  decodeToken,
  token => token
)
const $userState = persistentAtom<StoredUser | undefined>('user', undefined, stored =>
  parseUser(parseJson(stored))
)
const $checked = atom(false)
let check: Promise<User | ShopError | undefined> | undefined
/** Cleared by the check at page load. Other calls with it may be answered later. */
let rejectedToken: string | undefined
let isRedirecting = false

export const $token = readonlyType($tokenState)
/** Never without a token: one of both may be missing in the storage. */
export const $user = computed([$token, $userState], (token, user) =>
  token === undefined ? undefined : user
)

export const $session = computed(
  [$token, $user, $checked],
  (token, user, checked): SessionState => {
    if (token === undefined) return ANONYMOUS
    if (!checked) return LOADING
    return user ? { state: 'authenticated', user } : ANONYMOUS
  }
)

configureApi({ token: () => $token.get(), onUnauthorized: expireSession })

let lastAccount: string | undefined

// Must not be shown to the next shopper.
$user.subscribe(user => {
  if (!user) return
  const id = readDraft<{ id: string }>('account')?.id
  if (id !== undefined && id !== user._id) clearPersonalData()
  saveDraft('account', { id: user._id })
  if (lastAccount !== undefined && lastAccount !== user._id) location.reload()
  lastAccount = user._id
})

/** Runs once per page. A rejected session (401) is cleared silently. */
export function checkSession(): Promise<User | ShopError | undefined> {
  return (check ??= checkStoredSession())
}

async function checkStoredSession(): Promise<User | ShopError | undefined> {
  showSavedNotice()
  const token = $token.get()
  try {
    if (token !== undefined) return await fetchUser()
    if ($userState.get()) clearSession()
    return undefined
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (error.replyStatus === 401 && token === $token.get()) {
      logFailure('The session was rejected', error)
      rejectedToken = token
      clearSession()
    }
    return error
  } finally {
    $checked.set(true)
  }
}

export async function fetchUser(): Promise<User> {
  const token = $token.get()
  const user = await api('GET /auth/me')
  storeUser(user, token)
  return user
}

/** Only if the session is still that of `token`. */
export function storeUser(reply: User, token: string | undefined): void {
  const user = assertUser(reply)
  if (token !== undefined && token === $token.get()) $userState.set(user)
}

/** User first: another tab must never see a token without a user. */
export function setSession(reply: Session | undefined): void {
  const user = assertUser(reply?.user)
  if (typeof reply?.token !== 'string') throw new ShopError('INTERNAL')
  if (typeof reply.device === 'string') saveDevice(reply.device)
  $userState.set(user)
  $tokenState.set(reply.token)
}

export function clearSession(): void {
  $tokenState.set(undefined)
  $userState.set(undefined)
}

/** From 'Session expired' until the login page opens, no other redirect may come first. */
export function isLoginPending(): boolean {
  return isRedirecting
}

/** Ignores replies to an earlier session and the silent check at page load. */
function expireSession(token: string, call: keyof Api) {
  if (token !== ($token.get() ?? rejectedToken) || (call === 'GET /auth/me' && !$checked.get()))
    return
  rejectedToken = undefined
  isRedirecting = location.pathname !== paths.login
  clearSession()
  if (!isRedirecting) return
  const loginPath = loginPathFromHere()
  const notice: SessionNotice = {
    title: t('Session expired'),
    text: t(LOGIN_AGAIN),
    kind: 'destructive'
  }
  notifySession(notice)
  setTimeout(() => {
    isRedirecting = false
    if ($token.get() !== undefined) return
    saveNoticeForNextPage(notice)
    location.assign(loginPath)
  }, SESSION_EXPIRED_REDIRECT_DELAY)
}

export function loginPathFromHere(): string {
  const { pathname, search, hash } = location
  return toLoginPath(`${pathname}${search}${hash}`)
}

/** Tells this browser from strangers who guess passwords. Survives a logout. */
export function saveDevice(token: string | undefined): void {
  writeStored('device', token)
}

export function deviceHeaders(): Record<string, string> {
  const token = readStored('device')
  return typeof token === 'string' && /^[\w.-]{1,999}$/.test(token)
    ? { [DEVICE_HEADER]: token }
    : {}
}

/** Replaces the previous one: several would cover the form on a phone. */
export function notifySession(notice: SessionNotice): void {
  notify({ ...notice, topic: 'session' })
}

export function saveNoticeForNextPage(notice: SessionNotice): void {
  saveDraft('notice', notice)
}

export function clearSavedNotice(): void {
  saveDraft('notice', undefined)
}

function showSavedNotice() {
  const notice = readDraft<SessionNotice>('notice')
  clearSavedNotice()
  if (typeof notice?.title === 'string') notifySession(notice as SessionNotice)
}

function assertUser(reply: unknown): StoredUser {
  const user = parseUser(reply)
  if (!user) throw new ShopError('INTERNAL')
  return user
}

/** Without phone and address: everybody at this browser can read them. */
function parseUser(value: unknown): StoredUser | undefined {
  if (!hasTypes(value, { _id: 'string', email: 'string', name: 'string' })) return undefined
  const { _id, email, name, role, staff, language } = value as StoredUser
  const own = { _id, email, name, ...(language && { language }) }
  if (role !== 'admin') return { ...own, role: 'user', staff: null }
  // An earlier version stored no `staff`: its administrators are owners.
  return { ...own, role, staff: staff ?? 'owner' }
}

// Other characters would make the header invalid, and the server refuses a long one.
function decodeToken(stored: string) {
  return /^[\x21-\x7e]{1,999}$/.test(stored) ? stored : undefined
}
