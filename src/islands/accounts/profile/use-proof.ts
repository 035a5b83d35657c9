import { useState } from 'react'
import { codeDigits, codeProblem, type Problems } from '#lib/account-forms.ts'
import type { Proof } from '#lib/contract/accounts.ts'
import { MESSAGES } from '#lib/messages.ts'
import type { ShopError } from '#lib/shop-error.ts'
import { isAboutCode } from '../is-about-code.ts'

export const PROOF_FIELDS = ['proof.password', 'proof.otp'] as const
export type ProofField = (typeof PROOF_FIELDS)[number]
export type ProofWay = 'password' | 'code'

/** How the owner of the account proves to be it, and what is wrong with the proof that was typed. */
export function useProof(hasPassword: boolean) {
  const [way, setWay] = useState<ProofWay>(hasPassword ? 'password' : 'code')
  return {
    way,
    setWay,
    problems: (values: Record<ProofField, string>): Problems<ProofField> => {
      const problem =
        way === 'code'
          ? { 'proof.otp': codeProblem(values['proof.otp']) }
          : { 'proof.password': values['proof.password'].trim() === '' ? MESSAGES.proofRequired : undefined }
      return Object.fromEntries(Object.entries(problem).filter(([, text]) => text !== undefined))
    },
    proof: (values: Record<ProofField, string>): Proof =>
      way === 'code' ? { otp: codeDigits(values['proof.otp']) } : { password: values['proof.password'] },
    placeOf: (error: ShopError): ProofField | undefined => {
      if (isAboutCode(error)) return 'proof.otp'
      return error.code === 'INVALID_CREDENTIALS' ? 'proof.password' : undefined
    }
  }
}
