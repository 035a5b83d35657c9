import { atom, readonlyType } from 'nanostores'
import { parseAddress, type AddressForm } from '../address.ts'
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
  const isRetry = $state.get().state === 'failed'
  $state.set({ state: 'loading' })
  const checked = await checkSession()
  const isUsable = !isRetry && (checked instanceof ShopError || checked?._id === userId)
  $state.set(toProfile(isUsable ? checked : await fetchUser().catch(toShopError)))
}

export async function saveProfile(change: ProfileChange): Promise<void> {
  const token = $token.get()
  const user = await api('PUT /auth/profile', { body: change })
  storeUser(user, token)
  $state.set(toProfile(user))
  notify({ title: MESSAGES.profileSaved })
}

export function showProfile(user: User): void {
  $state.set(toProfile(user))
}

function toProfile(reply: User | ShopError): Profile {
  if (reply instanceof ShopError) {
    // According to the specification, 404 means an account without a profile.
    return reply.status === 404
      ? { state: 'ready', details: createEmptyProfile($user.get()?.email ?? '') }
      : { state: 'failed' }
  }
  const { email, name, phoneNumber, address, hasPassword } = reply
  return {
    state: 'ready',
    details: {
      email,
      name,
      phoneNumber: phoneNumber ?? '',
      address: parseAddress(address),
      hasPassword: hasPassword ?? true
    }
  }
}

function createEmptyProfile(email: string): ProfileDetails {
  return { email, name: '', phoneNumber: '', address: parseAddress(null), hasPassword: false }
}

function toShopError(error: unknown): ShopError {
  if (error instanceof ShopError) return error
  throw error
}
