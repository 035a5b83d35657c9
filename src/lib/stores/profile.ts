import { atom, readonlyType } from 'nanostores'
import { readAddress, type AddressForm } from '../address.ts'
import { api } from '../api.ts'
import type { Profile as ProfileChange, User } from '../contract/accounts.ts'
import { MESSAGES } from '../messages.ts'
import { ShopError } from '../shop-error.ts'
import { readUser, startSession, storeUser } from './session-check.ts'
import { $token, $user } from './stored-session.ts'
import { notify } from './toasts.ts'

/** What the shop knows of a shopper, with every field there. */
export interface ProfileDetails {
  email: string
  name: string
  /** Ten digits, or nothing. */
  phoneNumber: string
  address: AddressForm
  hasPassword: boolean
}

export type Profile = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; details: ProfileDetails }

const $state = atom<Profile>({ state: 'loading' })

/** The profile of who is logged in, once `loadProfile` has brought it. */
export const $profile = readonlyType($state)

/** Takes what the check at the page's start has answered for this user; asks again for another one, or after a failure. */
export async function loadProfile(userId: string): Promise<void> {
  const again = $state.get().state === 'failed'
  $state.set({ state: 'loading' })
  const started = await startSession()
  const usable = !again && (started instanceof ShopError || started?._id === userId)
  $state.set(profileOf(usable ? started : await readUser().catch(asFailure)))
}

/** Throws ShopError. */
export async function saveProfile(change: ProfileChange): Promise<void> {
  const token = $token.get()
  const user = await api('PUT /auth/profile', { body: change })
  storeUser(user, token)
  $state.set(profileOf(user))
  notify({ title: MESSAGES.profileSaved })
}

/** What the shop says after the password was changed. */
export function showUser(user: User): void {
  $state.set(profileOf(user))
}

function profileOf(answer: User | ShopError): Profile {
  if (answer instanceof ShopError) {
    // The shop knows who it is, and nothing else about them yet.
    return answer.status === 404 ? { state: 'ready', details: empty($user.get()?.email ?? '') } : { state: 'failed' }
  }
  const { email, name, phoneNumber, address, hasPassword } = answer
  return {
    state: 'ready',
    details: {
      email,
      name,
      phoneNumber: phoneNumber ?? '',
      address: readAddress(address),
      hasPassword: hasPassword ?? true
    }
  }
}

function empty(email: string): ProfileDetails {
  return { email, name: '', phoneNumber: '', address: readAddress(null), hasPassword: false }
}

function asFailure(error: unknown): ShopError {
  if (error instanceof ShopError) return error
  throw error
}
