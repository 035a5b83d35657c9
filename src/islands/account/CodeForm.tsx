import type { ClipboardEvent, CSSProperties, InputEvent } from 'react'
import { removeNonDigits, toProblems, validateCode } from '#lib/account/forms.ts'
import { rich, t } from '#lib/contract/texts.ts'
import type { ShopError } from '#lib/errors.ts'
import { codeResendText } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $user, loginPathFromHere } from '#lib/stores/session.ts'
import {
  clearLoginCode,
  CODE_NOT_SENT,
  CODE_REFUSED,
  type LoginCode,
  logInWithCode,
  preferPassword,
  sendCode
} from '#lib/stores/sign-in.ts'
import { CODE_LENGTH } from '#lib/constants.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { type ErrorText, type Run, useSecondsLeft } from '../ui/hooks.ts'
import { type FieldState, useForm } from '../ui/use-form.ts'
import { Problem } from '../ui/Field.tsx'

interface CodeFormProps {
  loginCode: LoginCode
  formLabel: string
  submitLabel: string
  backLabel: string
  onBack: () => void
  onChangeEmail: (() => void) | undefined
  onResent: () => void
  onLoggedIn?: () => void
  quiet?: boolean
}

export function CodeForm({
  loginCode,
  formLabel,
  submitLabel,
  backLabel,
  quiet = false,
  ...handlers
}: CodeFormProps) {
  const { email, sent } = loginCode
  const { form, field, failure, busy, run } = useCodeForm(async otp => {
    await logInWithCode({ email, otp }, quiet)
    clearLoginCode()
    handlers.onLoggedIn?.()
  }, CODE_REFUSED)

  return (
    <form {...form} className="grid gap-5" aria-label={formLabel}>
      <p>
        <CodeSentTo email={email} sent={sent} />{' '}
        {handlers.onChangeEmail && (
          <Button
            look="link"
            label={t('Change')}
            className="px-1"
            aria-label={t('Change the email')}
            onClick={handlers.onChangeEmail}
          />
        )}
      </p>
      <CodeField state={field('otp')} onComplete={() => form.ref.current?.requestSubmit()} />
      <Resend loginCode={loginCode} run={run} quiet={quiet} onSent={handlers.onResent} />
      {/* Also for a shop whose mail server is down. */}
      {quiet && (
        <p className="-my-3">
          {t('No email?')}{' '}
          <ButtonLink
            look="link"
            label={t('Use a password instead')}
            href={loginPathFromHere()}
            onClick={() => preferPassword(email)}
          />
        </p>
      )}
      <Failure failure={failure} busy={busy} hasToast={!quiet} />
      <SubmitButton label={submitLabel} busyLabel={t('Verifying…')} busy={busy} />
      <Button label={backLabel} className="w-full" onClick={handlers.onBack} />
    </form>
  )
}

export function useCodeForm(send: (otp: string) => Promise<void>, errorText: ErrorText) {
  return useForm({
    names: ['otp'],
    check: ({ otp }) => toProblems({ otp: validateCode(otp) }),
    send: ({ otp }) => send(removeNonDigits(otp)),
    errorText,
    fieldForError: error => (isCodeError(error) ? 'otp' : undefined)
  })
}

/** The mail waits in the outbox, so nobody knows yet whether the mail server takes it. */
export function CodeSentTo({ email, sent }: { email: string; sent: boolean }) {
  if (sent)
    return (
      <>
        {rich('We’re emailing a 6-digit code to {email}. It may take a minute.', {
          email: (
            <b key="email" className="[overflow-wrap:anywhere]">
              {email}
            </b>
          )
        })}
      </>
    )
  if ($user.get()?.role === 'admin')
    return <>{t('Your shop can’t send emails yet, so no code was sent. Use your password.')}</>
  return (
    <>
      {rich('This shop can’t send emails yet, so no code was sent. Use a password, or {call}.', {
        call: (
          <a key="call" href={paths.contact} className="link">
            {t('call us')}
          </a>
        )
      })}
    </>
  )
}

interface ResendProps {
  loginCode: LoginCode
  run: Run
  quiet: boolean
  /** Must move the focus: its button has disappeared. */
  onSent: () => void
}

export function Resend({ loginCode, run, quiet, onSent }: ResendProps) {
  const resend = async () => {
    if (await run(() => sendCode(loginCode.email, quiet), CODE_NOT_SENT)) onSent()
  }

  const secondsLeft = useSecondsLeft(loginCode.resendAt)
  return (
    <div className="flex min-h-target items-center text-sm">
      {secondsLeft > 0 ? (
        <p className="text-ink/70">{codeResendText(secondsLeft)}</p>
      ) : (
        <Button
          look="link"
          label={t('Send a new code')}
          className="-ml-1 px-1 font-semibold"
          onClick={() => void resend()}
        />
      )}
    </div>
  )
}

export function isCodeError({ code }: ShopError): boolean {
  return code === 'INVALID_OTP' || code === 'OTP_EXPIRED'
}

// Six slots fit into a card on the narrowest phone.
const SLOT_WIDTH = { '--slot-width': 'min(3.5rem, (100vw - 4.5rem) / 6)' } as CSSProperties

interface CodeFieldProps {
  state: FieldState
  onComplete?: () => void
}

/** One input, so that pasting, autofill and screen readers work. */
export function CodeField({ state, onComplete }: CodeFieldProps) {
  const handleInput = ({
    currentTarget,
    nativeEvent: { data, inputType }
  }: InputEvent<HTMLInputElement>) => {
    const typed = removeNonDigits(currentTarget.value)
    const digits = typed.slice(0, CODE_LENGTH)
    if (digits !== currentTarget.value) currentTarget.value = digits
    const isByHand = (data?.length === 1 && /\d/.test(data)) || inputType === 'insertFromPaste'
    // Later, when the form knows the value. A further digit must not send a wrong code again.
    if (isByHand && typed.length === CODE_LENGTH && onComplete) queueMicrotask(onComplete)
  }
  // A pasted complete code replaces the text.
  const selectBeforePaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const digits = removeNonDigits(event.clipboardData.getData('text'))
    if (digits.length === CODE_LENGTH) event.currentTarget.select()
  }

  return (
    <div style={SLOT_WIDTH}>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        {t('One-time code')}
      </label>
      {/* `overflow: hidden` would scroll when the cursor is after the last digit. */}
      <div className="relative h-14 w-[calc(var(--slot-width)*6)] overflow-hidden overflow-clip rounded-xl outline-[3px] outline-offset-2 outline-chilli focus-within:outline">
        <div aria-hidden="true" className="absolute inset-0 grid grid-cols-6">
          {Array.from({ length: CODE_LENGTH }, (_, slot) => (
            <span
              key={slot}
              className={`mx-1 rounded-xl bg-paper ${state.invalid ? 'border-2 border-chilli' : 'border border-ink/50'}`}
            />
          ))}
        </div>
        {/* One slot wider, or the space after the last digit would scroll. */}
        <input
          id={state.id}
          name={state.name}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          aria-invalid={state.invalid}
          aria-describedby={state.describedBy}
          onInput={handleInput}
          onPaste={selectBeforePaste}
          className="absolute inset-y-0 left-0 w-[calc(var(--slot-width)*7)] bg-transparent pl-[calc((var(--slot-width)-1ch)/2)] text-xl tracking-[calc(var(--slot-width)-1ch)] outline-none"
        />
      </div>
      <Problem state={state} />
    </div>
  )
}
