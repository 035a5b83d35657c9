import { atom, readonlyType } from 'nanostores'
import { api } from '../../api.ts'
import type { User } from '../../contract/accounts.ts'
import type { Credential } from '../../contract/values.ts'
import { ShopError } from '../../errors.ts'
import { fetchUser } from '../session.ts'

interface VerificationRequest {
  user: User
  resolve: () => void
  reject: () => void
}

const $state = atom<VerificationRequest | undefined>()

export const $verificationRequest = readonlyType($state)

/**
 * If the server asks for a recent verification, waits until the user has entered the password or a code, and then
 * repeats the action. Throws VERIFICATION_REQUIRED if the user cancels.
 */
export async function withVerification<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof ShopError) || error.code !== 'VERIFICATION_REQUIRED') throw error
    const user = await fetchUser()
    await new Promise<void>((resolve, reject) => {
      cancelVerification()
      $state.set({ user, resolve, reject: () => reject(error) })
    })
    return action()
  }
}

/** Throws ShopError. */
export async function verify(credential: Credential): Promise<void> {
  await api('POST /admin/verification', { body: { proof: credential } })
  $state.get()?.resolve()
  $state.set(undefined)
}

export function cancelVerification(): void {
  $state.get()?.reject()
  $state.set(undefined)
}
