import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { removeNonDigits, validateCode, type Problems } from '#lib/account/forms.ts'
import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import type { Credential } from '#lib/contract/values.ts'
import type { ShopError } from '#lib/errors.ts'
import { ACCOUNT_MESSAGES } from '#lib/account/messages.ts'
import { $loginCode, restoreLoginCode, sendCode } from '#lib/stores/sign-in.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField } from '../ui/CodeField.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import type { Run } from '../ui/hooks.ts'
import type { FieldState } from '../ui/use-form.ts'
import { isCodeError, Resend } from './CodeForm.tsx'

export const VERIFICATION_FIELDS = ['proof.password', 'proof.otp'] as const
type VerificationField = (typeof VERIFICATION_FIELDS)[number]

const METHODS = [
  { id: 'password', label: 'Use my password' },
  { id: 'code', label: 'Use a code by email' }
] as const

export function useVerification(hasPassword: boolean) {
  const [method, setMethod] = useState<(typeof METHODS)[number]['id']>(hasPassword ? 'password' : 'code')
  return {
    method,
    setMethod,
    checkCredential: (values: Record<VerificationField, string>): Problems<VerificationField> => {
      const problem =
        method === 'code'
          ? { 'proof.otp': validateCode(values['proof.otp']) }
          : {
              'proof.password':
                values['proof.password'].trim() === '' ? ACCOUNT_MESSAGES.verificationRequired : undefined
            }
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

type Verification = ReturnType<typeof useVerification>

interface VerificationFieldsProps {
  verification: Verification
  email: string
  hasPassword: boolean
  field: (name: VerificationField) => FieldState
  run: Run
}

export function VerificationFields({ verification, email, hasPassword, field, run }: VerificationFieldsProps) {
  const { method, setMethod } = verification
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-3 font-semibold">Confirm it’s you</legend>
      {hasPassword && email !== PLACEHOLDER_EMAIL && (
        <div className="flex flex-wrap gap-x-6">
          {METHODS.map(({ id, label }) => (
            <label key={id} className="flex min-h-target cursor-pointer items-center gap-3">
              <input
                type="radio"
                name="verification-method"
                className="h-5 w-5 accent-chilli"
                checked={id === method}
                onChange={() => setMethod(id)}
              />
              {label}
            </label>
          ))}
        </div>
      )}
      {method === 'password' ? (
        <PasswordField state={field('proof.password')} label="Current password" autoComplete="current-password" />
      ) : (
        <CodeVerification email={email} state={field('proof.otp')} run={run} />
      )}
    </fieldset>
  )
}

function CodeVerification({ email, state, run }: { email: string; state: FieldState; run: Run }) {
  const loginCode = useStore($loginCode)
  useEffect(restoreLoginCode, [])
  const focus = () => document.getElementById(state.id)?.focus()
  const send = async () => {
    if (
      await run(() => sendCode(email, { quiet: true }), {
        title: ACCOUNT_MESSAGES.codeFailed,
        fallback: ACCOUNT_MESSAGES.codeTryAgain
      })
    )
      focus()
  }

  if (loginCode?.email !== email) {
    return (
      <div>
        <Button label="Send me a code" onClick={() => void send()} />
        {/* The problem is shown here, because the code field, which normally shows it, does not exist yet. */}
        <p role="alert" className="mt-1 font-semibold text-chilli empty:hidden">
          {state.problem}
        </p>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p>
        We’ve sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.
      </p>
      <CodeField state={state} />
      <Resend email={email} resendAt={loginCode.resendAt} run={run} quiet onSent={focus} />
    </div>
  )
}
