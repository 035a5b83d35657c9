import { persistentAtom } from '@nanostores/persistent'
import { readonlyType } from 'nanostores'
import type { User } from '../contract/accounts.ts'

export type StoredUser = Pick<User, '_id' | 'email' | 'name' | 'role'>

// The storage event of persistentAtom keeps the tabs in sync.
const $tokenState = persistentAtom<string | undefined>('token', undefined, {
  encode: token => token,
  decode: decodeToken
})
const $userState = persistentAtom<StoredUser | undefined>('user', undefined, {
  encode: JSON.stringify,
  decode: decodeUser
})

export const $token = readonlyType($tokenState)
export const $user = readonlyType($userState)

/** Sets the user first, because another tab must never see a token without a user. */
export function saveSession(token: string, user: StoredUser): void {
  $userState.set(user)
  $tokenState.set(token)
}

export function saveUser(user: StoredUser): void {
  $userState.set(user)
}

export function clearSession(): void {
  $tokenState.set(undefined)
  $userState.set(undefined)
}

export function parseUser(value: unknown): StoredUser | undefined {
  const user = value as Partial<StoredUser> | null
  const isUser = [user?._id, user?.email, user?.name].every(field => typeof field === 'string')
  return isUser ? { ...(user as StoredUser), role: user?.role === 'admin' ? 'admin' : 'user' } : undefined
}

function decodeUser(stored: string): StoredUser | undefined {
  try {
    return parseUser(JSON.parse(stored))
  } catch {
    return undefined
  }
}

// With a non-ASCII character or a space in the token, the header would be invalid and every API call would fail.
function decodeToken(stored: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(stored) ? stored : undefined
}
