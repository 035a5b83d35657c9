import { useStore } from '@nanostores/react'
import { MESSAGES } from '#lib/messages.ts'
import { $loginCode, sendCode } from '#lib/stores/login-code.ts'
import { CodeField } from '../../form/CodeField.tsx'
import { PasswordField } from '../../form/PasswordField.tsx'
import type { Run } from '../../form/use-attempt.ts'
import type { FieldState } from '../../form/use-form.ts'
import { Resend } from '../Resend.tsx'
import type { VerificationField, VerificationMethod } from './use-verification.ts'

interface VerificationFieldsProps {
  email: string
  hasPassword: boolean
  method: VerificationMethod
  onMethod: (method: VerificationMethod) => void
  field: (name: VerificationField) => FieldState
  run: Run
}

export function VerificationFields({ email, hasPassword, method, onMethod, field, run }: VerificationFieldsProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-3 font-semibold">Confirm it’s you</legend>
      {hasPassword && (
        <div className="flex flex-wrap gap-x-6">
          <Method method="password" selected={method} onMethod={onMethod} label="Use my password" />
          <Method method="code" selected={method} onMethod={onMethod} label="Use a code by e-mail" />
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

interface MethodProps {
  method: VerificationMethod
  selected: VerificationMethod
  onMethod: (method: VerificationMethod) => void
  label: string
}

function Method({ method, selected, onMethod, label }: MethodProps) {
  return (
    <label className="flex min-h-target cursor-pointer items-center gap-3">
      <input
        type="radio"
        name="verification-method"
        className="h-5 w-5 accent-chilli"
        checked={method === selected}
        onChange={() => onMethod(method)}
      />
      {label}
    </label>
  )
}

function CodeVerification({ email, state, run }: { email: string; state: FieldState; run: Run }) {
  const loginCode = useStore($loginCode)
  const focus = () => document.getElementById(state.id)?.focus()
  const send = async () => {
    if (await run(() => sendCode(email), { title: MESSAGES.codeFailed, fallback: MESSAGES.codeTryAgain })) focus()
  }

  if (loginCode?.email !== email) {
    return (
      <div>
        <button type="button" className="button-quiet" onClick={() => void send()}>
          Send me a code
        </button>
        {/* The problem is shown here, because the code field, which normally shows it, does not exist yet. */}
        {state.problem && <p className="mt-1 font-semibold text-chilli">{state.problem}</p>}
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p>
        We’ve sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.
      </p>
      <CodeField state={state} label="One-time code" />
      <Resend email={email} resendAt={loginCode.resendAt} run={run} onSent={focus} />
    </div>
  )
}
