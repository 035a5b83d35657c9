import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import {
  isBlank,
  removeNonDigits,
  toProblems,
  validateCode,
  type Problems
} from '#lib/account/forms.ts'
import { PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import { t, texts } from '#lib/contract/texts.ts'
import type { Credential } from '#lib/contract/values.ts'
import type { ProfileDetails } from '#lib/stores/account.ts'
import { $loginCode, CODE_NOT_SENT, restoreLoginCode, sendCode } from '#lib/stores/sign-in.ts'
import { Button } from '../ui/Button.tsx'
import { CodeField, CodeSentTo, isCodeError, Resend } from './CodeForm.tsx'
import { PasswordField } from '../ui/Field.tsx'
import type { ErrorText, Run } from '../ui/hooks.ts'
import { type FieldState, type FormRules, useForm } from '../ui/use-form.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'

export type Account = Pick<ProfileDetails, 'email' | 'hasPassword'>

type OwnField = 'email' | 'password' | 'reason'
type Values = Record<OwnField | 'proof.password' | 'proof.otp', string>

const METHODS = texts({ password: 'Use my password', code: 'Use a code by email' })
type Method = keyof typeof METHODS

interface VerifiedFormRules extends Pick<FormRules<string>, 'onDone' | 'onMissed'> {
  account: Account
  names?: readonly OwnField[]
  /** False while neither password nor code is needed. */
  asks?: boolean
  check?: (values: Values) => Problems<OwnField>
  send: (values: Values, proof: Credential) => Promise<void>
  errorText: ErrorText
}

/** Adds fields for the password or a code by email. */
export function useVerifiedForm({
  account,
  names = [],
  asks = true,
  check,
  send,
  ...rules
}: VerifiedFormRules) {
  const { email, hasPassword } = account
  const [method, setMethod] = useState<Method>(hasPassword ? 'password' : 'code')
  const { form, field, failure, busy, run } = useForm<keyof Values>({
    names: [...names, 'proof.password', 'proof.otp'],
    check: values => ({
      ...check?.(values),
      ...toProblems(
        !asks
          ? {}
          : method === 'code'
            ? { 'proof.otp': validateCode(values['proof.otp']) }
            : {
                'proof.password':
                  isBlank(values['proof.password']) && FIELD_TEXTS.verificationRequired
              }
      )
    }),
    send: values =>
      send(
        values,
        method === 'code'
          ? { otp: removeNonDigits(values['proof.otp']) }
          : { password: values['proof.password'] }
      ),
    ...rules,
    fieldForError: error => {
      if (isCodeError(error)) return 'proof.otp'
      return error.code === 'INVALID_CREDENTIALS' ? 'proof.password' : undefined
    }
  })
  const verification = (
    <fieldset className="grid gap-3">
      <legend className="pb-3 font-semibold">{t('Confirm it’s you')}</legend>
      {hasPassword && email !== PLACEHOLDER_EMAIL && (
        <div className="flex flex-wrap gap-x-6">
          {(Object.keys(METHODS) as Method[]).map(id => (
            <label key={id} className="flex min-h-target cursor-pointer items-center gap-3">
              <input
                type="radio"
                name="verification-method"
                className="h-5 w-5 accent-chilli"
                checked={id === method}
                onChange={() => setMethod(id)}
              />
              {METHODS[id]}
            </label>
          ))}
        </div>
      )}
      {method === 'password' ? (
        <PasswordField state={field('proof.password')} label={t('Current password')} />
      ) : (
        <CodeVerification email={email} state={field('proof.otp')} run={run} />
      )}
    </fieldset>
  )
  return { form, field, failure, busy, verification }
}

function CodeVerification({ email, state, run }: { email: string; state: FieldState; run: Run }) {
  const loginCode = useStore($loginCode)
  useEffect(restoreLoginCode, [])
  const focus = () => document.getElementById(state.id)?.focus()
  const send = async () => {
    if (await run(() => sendCode(email, true), CODE_NOT_SENT)) focus()
  }

  if (loginCode?.email !== email) {
    return (
      <div>
        <Button label={t('Send me a code')} onClick={() => void send()} />
        {/* The code field, which shows problems, does not exist yet. */}
        <p role="alert" className="mt-1 font-semibold text-chilli empty:hidden">
          {state.problem}
        </p>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p>
        <CodeSentTo email={email} sent={loginCode.sent} />
      </p>
      <CodeField state={state} />
      <Resend loginCode={loginCode} run={run} quiet onSent={focus} />
    </div>
  )
}
