import { persistentAtom } from '@nanostores/persistent'
import { readonlyType } from 'nanostores'
import type { User } from '../contract/accounts.ts'

/** The shopper as storage keeps one: these fields are sure, any other is whatever was put there. */
export type StoredUser = Pick<User, '_id' | 'email' | 'name' | 'role'>

// The tabs of a browser stay in step because persistentAtom listens to the storage event.
const $tokenKept = persistentAtom<string | undefined>('token', undefined, {
  encode: token => token,
  decode: decodeToken
})
const $userKept = persistentAtom<StoredUser | undefined>('user', undefined, {
  encode: JSON.stringify,
  decode: decodeUser
})

export const $token = readonlyType($tokenKept)
/** Who was logged in when the shop was last asked: for what a page shows, never for what somebody may do. */
export const $user = readonlyType($userKept)

/** The user first, so that a token never stands alone in another tab. */
export function keepSession(token: string, user: StoredUser): void {
  $userKept.set(user)
  $tokenKept.set(token)
}

export function keepUser(user: StoredUser): void {
  $userKept.set(user)
}

export function forgetSession(): void {
  $tokenKept.set(undefined)
  $userKept.set(undefined)
}

/** A user, if that is what storage or the shop has given. */
export function asUser(value: unknown): StoredUser | undefined {
  const user = value as Partial<StoredUser> | null
  const isUser = [user?._id, user?.email, user?.name].every(field => typeof field === 'string')
  return isUser ? { ...(user as StoredUser), role: user?.role === 'admin' ? 'admin' : 'user' } : undefined
}

function decodeUser(stored: string): StoredUser | undefined {
  try {
    return asUser(JSON.parse(stored))
  } catch {
    return undefined
  }
}

// Anything else could not be sent in a header, and would make every call fail.
function decodeToken(stored: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(stored) ? stored : undefined
}
