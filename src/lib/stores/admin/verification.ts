import { atom, readonlyType } from 'nanostores'
import { api, configureApi } from '../../api.ts'
import type { User } from '../../contract/accounts.ts'
import type { Credential } from '../../contract/values.ts'
import { ShopError } from '../../errors.ts'
import { deviceHeaders, fetchUser } from '../session.ts'

interface VerificationRequest {
  user: User
  /** Ends the request. If `isVerified` is false, the call that asked for the verification fails. */
  end: (isVerified: boolean) => void
}

const $state = atom<VerificationRequest | undefined>()

export const $verificationRequest = readonlyType($state)

configureApi({
  async verify(error) {
    if (!(error instanceof ShopError) || error.code !== 'VERIFICATION_REQUIRED') throw error
    const user = await fetchUser()
    const isVerified = await new Promise<boolean>(end => {
      cancelVerification()
      $state.set({ user, end })
    })
    if (!isVerified) throw error
  }
})

/** Throws ShopError. */
export async function verify(credential: Credential): Promise<void> {
  await api(
    'POST /admin/verification',
    { body: { proof: credential } },
    { headers: deviceHeaders() }
  )
  endRequest(true)
}

export function cancelVerification(): void {
  endRequest(false)
}

function endRequest(isVerified: boolean): void {
  $state.get()?.end(isVerified)
  $state.set(undefined)
}
