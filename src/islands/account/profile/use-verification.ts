import { useState } from 'react'
import { removeNonDigits, validateCode, type Problems } from '#lib/account-forms.ts'
import type { Credential } from '#lib/contract/accounts.ts'
import { MESSAGES } from '#lib/messages.ts'
import type { ShopError } from '#lib/shop-error.ts'
import { isCodeError } from '../is-code-error.ts'

export const VERIFICATION_FIELDS = ['proof.password', 'proof.otp'] as const
export type VerificationField = (typeof VERIFICATION_FIELDS)[number]
export type VerificationMethod = 'password' | 'code'

export function useVerification(hasPassword: boolean) {
  const [method, setMethod] = useState<VerificationMethod>(hasPassword ? 'password' : 'code')
  return {
    method,
    setMethod,
    checkCredential: (values: Record<VerificationField, string>): Problems<VerificationField> => {
      const problem =
        method === 'code'
          ? { 'proof.otp': validateCode(values['proof.otp']) }
          : { 'proof.password': values['proof.password'].trim() === '' ? MESSAGES.verificationRequired : undefined }
      return Object.fromEntries(Object.entries(problem).filter(([, text]) => text !== undefined))
    },
    toCredential: (values: Record<VerificationField, string>): Credential =>
      method === 'code' ? { otp: removeNonDigits(values['proof.otp']) } : { password: values['proof.password'] },
    fieldForError: (error: ShopError): VerificationField | undefined => {
      if (isCodeError(error)) return 'proof.otp'
      return error.code === 'INVALID_CREDENTIALS' ? 'proof.password' : undefined
    }
  }
}
