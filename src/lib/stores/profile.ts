import { atom, readonlyType } from 'nanostores'
import { readAddress, type AddressForm } from '../address.ts'
import { api } from '../api.ts'
import type { Profile as ProfileChange, User } from '../contract/accounts.ts'
import { MESSAGES } from '../messages.ts'
import { ShopError } from '../shop-error.ts'
import { fetchUser, checkSession, storeUser } from './session-check.ts'
import { $token, $user } from './stored-session.ts'
import { notify } from './toasts.ts'

export interface ProfileDetails {
  email: string
  name: string
  phoneNumber: string
  address: AddressForm
  hasPassword: boolean
}

export type Profile = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; details: ProfileDetails }

const $state = atom<Profile>({ state: 'loading' })

export const $profile = readonlyType($state)

export async function loadProfile(userId: string): Promise<void> {
  const again = $state.get().state === 'failed'
  $state.set({ state: 'loading' })
  const started = await checkSession()
  const usable = !again && (started instanceof ShopError || started?._id === userId)
  $state.set(profileOf(usable ? started : await fetchUser().catch(toShopError)))
}

export async function saveProfile(change: ProfileChange): Promise<void> {
  const token = $token.get()
  const user = await api('PUT /auth/profile', { body: change })
  storeUser(user, token)
  $state.set(profileOf(user))
  notify({ title: MESSAGES.profileSaved })
}

export function showProfile(user: User): void {
  $state.set(profileOf(user))
}

function profileOf(answer: User | ShopError): Profile {
  if (answer instanceof ShopError) {
    // 404: an account without a profile (specification).
    return answer.status === 404
      ? { state: 'ready', details: emptyProfile($user.get()?.email ?? '') }
      : { state: 'failed' }
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

function emptyProfile(email: string): ProfileDetails {
  return { email, name: '', phoneNumber: '', address: readAddress(null), hasPassword: false }
}

function toShopError(error: unknown): ShopError {
  if (error instanceof ShopError) return error
  throw error
}
