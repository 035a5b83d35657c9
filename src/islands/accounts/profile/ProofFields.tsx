import { useStore } from '@nanostores/react'
import { MESSAGES } from '#lib/messages.ts'
import { $sentCode, sendCode } from '#lib/stores/sent-code.ts'
import { CodeField } from '../../form/CodeField.tsx'
import { PasswordField } from '../../form/PasswordField.tsx'
import type { Run } from '../../form/use-attempt.ts'
import type { FieldState } from '../../form/use-form.ts'
import { Resend } from '../Resend.tsx'
import type { ProofField, ProofWay } from './use-proof.ts'

interface ProofFieldsProps {
  email: string
  /** Without one only a code can prove anything. */
  hasPassword: boolean
  way: ProofWay
  onWay: (way: ProofWay) => void
  field: (name: ProofField) => FieldState
  run: Run
}

/** That it is the owner who asks, not somebody who found the phone. */
export function ProofFields({ email, hasPassword, way, onWay, field, run }: ProofFieldsProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-3 font-semibold">Confirm that it is you</legend>
      {hasPassword && (
        <div className="flex flex-wrap gap-x-6">
          <Way way="password" chosen={way} onWay={onWay} label="With my password" />
          <Way way="code" chosen={way} onWay={onWay} label="With a code by e-mail" />
        </div>
      )}
      {way === 'password' ? (
        <PasswordField state={field('proof.password')} label="Current password" autoComplete="current-password" />
      ) : (
        <CodeProof email={email} state={field('proof.otp')} run={run} />
      )}
    </fieldset>
  )
}

interface WayProps {
  way: ProofWay
  chosen: ProofWay
  onWay: (way: ProofWay) => void
  label: string
}

function Way({ way, chosen, onWay, label }: WayProps) {
  return (
    <label className="flex min-h-target cursor-pointer items-center gap-3">
      <input
        type="radio"
        name="proof.way"
        className="h-5 w-5 accent-chilli"
        checked={way === chosen}
        onChange={() => onWay(way)}
      />
      {label}
    </label>
  )
}

function CodeProof({ email, state, run }: { email: string; state: FieldState; run: Run }) {
  const sent = useStore($sentCode)
  const focus = () => document.getElementById(state.id)?.focus()
  const send = async () => {
    if (await run(() => sendCode(email), { title: MESSAGES.codeFailed, otherwise: MESSAGES.codeTryAgain })) focus()
  }

  if (sent?.email !== email) {
    return (
      <div>
        <button type="button" className="button-quiet" onClick={() => void send()}>
          E-mail me a code
        </button>
        {/* The field that a check would accuse is not there yet. */}
        {state.problem && <p className="mt-1 font-semibold text-chilli">{state.problem}</p>}
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p>
        We have sent a 6-digit code to <b className="[overflow-wrap:anywhere]">{email}</b>.
      </p>
      <CodeField state={state} label="One-time code" />
      <Resend email={email} at={sent.resendAt} run={run} onSent={focus} />
    </div>
  )
}
