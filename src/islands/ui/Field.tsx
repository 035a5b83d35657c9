import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { type Choices, suggestEmail } from '#lib/account/forms.ts'
import { t } from '#lib/contract/texts.ts'
import { emailSuggestionText } from '#lib/messages.ts'
import { ACCOUNT_LIMITS } from '#lib/constants.ts'
import type { FieldState } from './use-form.ts'
import { Button } from './Button.tsx'

interface LabelProps {
  state: FieldState
  label: string
  hint?: ReactNode
  className?: string | undefined
}

export function Field({
  state,
  label,
  prefix,
  children,
  hint,
  className,
  ...input
}: LabelProps & ComponentProps<'input'>) {
  const attributes = controlAttributes(state, hint)
  const describedBy = [attributes['aria-describedby'], prefix && `${state.id}-prefix`]
    .filter(Boolean)
    .join(' ')
  return (
    <Labelled state={state} label={label} hint={hint} className={className}>
      <div className="relative flex items-center gap-2">
        {prefix && (
          <span
            className="flex min-h-target items-center rounded-xl bg-cream-deep px-4"
            id={`${state.id}-prefix`}
          >
            {prefix}
          </span>
        )}
        <input
          {...attributes}
          aria-describedby={describedBy}
          className={`field ${children ? 'pr-24' : ''}`}
          {...input}
        />
        {children}
      </div>
    </Labelled>
  )
}

export function SelectField({
  state,
  label,
  hint,
  className,
  choices,
  children,
  ...select
}: LabelProps & ComponentProps<'select'> & { choices: Choices }) {
  return (
    <Labelled state={state} label={label} hint={hint} className={className}>
      <select {...controlAttributes(state, hint)} className="field" {...select}>
        <Options choices={choices} />
        {children}
      </select>
    </Labelled>
  )
}

export function Options({ choices }: { choices: Choices }) {
  return choices.map(([value, label]) => (
    <option key={value} value={value}>
      {t(label)}
    </option>
  ))
}

export function TextArea({
  state,
  label,
  hint,
  className,
  ...area
}: LabelProps & ComponentProps<'textarea'>) {
  return (
    <Labelled state={state} label={label} hint={hint} className={className}>
      <textarea {...controlAttributes(state, hint)} className="field" {...area} />
    </Labelled>
  )
}

/** aria-describedby refers to it even if empty. */
export function Problem({ state }: { state: FieldState }) {
  return (
    <p id={`${state.id}-problem`} className="mt-1 font-semibold text-chilli empty:hidden">
      {state.problem}
    </p>
  )
}

function Labelled({
  state,
  label,
  hint,
  className = '',
  children
}: LabelProps & { children: ReactNode }) {
  return (
    <div className={className}>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        {label}
      </label>
      {children}
      <Problem state={state} />
      {showsHint(state, hint) && (
        <div id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
          {hint}
        </div>
      )}
    </div>
  )
}

function controlAttributes(state: FieldState, hint: ReactNode) {
  const { id, name, initial, invalid, describedBy } = state
  return {
    id,
    name,
    defaultValue: initial,
    'aria-invalid': invalid,
    'aria-describedby': showsHint(state, hint) ? `${id}-hint` : describedBy
  }
}

function showsHint({ invalid }: FieldState, hint: ReactNode) {
  return hint !== undefined && !invalid
}

interface EmailFieldProps {
  state: FieldState
  autoComplete: 'username' | 'email' | 'off'
  maxLength?: number
  hint?: ReactNode
}

export function EmailField({ state, hint, ...input }: EmailFieldProps) {
  const [suggestion, setSuggestion] = useState<string>()
  const accept = (email: string) => {
    const field = document.getElementById(state.id)
    if (!(field instanceof HTMLInputElement)) return
    field.value = email
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  return (
    <Field
      state={state}
      label={t('Email')}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      onBlur={({ currentTarget }) => setSuggestion(suggestEmail(currentTarget.value))}
      onInput={() => setSuggestion(undefined)}
      hint={
        suggestion === undefined ? (
          hint
        ) : (
          <Button
            look="link"
            label={emailSuggestionText(suggestion)}
            className="-ml-1 px-1 text-left [overflow-wrap:anywhere]"
            onClick={() => accept(suggestion)}
          />
        )
      }
      {...input}
    />
  )
}

interface PasswordFieldProps extends LabelProps, Omit<ComponentProps<'input'>, 'className'> {
  isNew?: boolean
}

export function PasswordField({ state, label, isNew = false, ...input }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false)
  const [typed, setTyped] = useState('')
  const field = label.toLowerCase()
  return (
    <Field
      state={state}
      label={label}
      type={isVisible ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      spellCheck={false}
      onInput={event => setTyped(event.currentTarget.value)}
      hint={isNew ? <PasswordAdvice password={typed} /> : undefined}
      {...input}
    >
      <Button
        look="link"
        label={t(isVisible ? 'Hide' : 'Show')}
        className="absolute right-1 px-3 text-sm font-semibold"
        aria-label={t(isVisible ? 'Hide {field}' : 'Show {field}', { field })}
        onClick={() => setIsVisible(!isVisible)}
      />
    </Field>
  )
}

const STRONG_LENGTH = 12

/** Loads the common passwords (6 kB) on the first keystroke. */
function PasswordAdvice({ password }: { password: string }) {
  const [advise, setAdvise] = useState<(password: string) => string | undefined>()
  const isTyping = password !== ''
  useEffect(() => {
    if (!isTyping) return
    void Promise.all([
      import('#lib/account/passwords.ts'),
      import('#lib/account/common-passwords.txt?raw')
    ]).then(
      ([{ findPasswordAdvice, parsePasswordList }, { default: text }]) => {
        const list = parsePasswordList(text)
        setAdvise(() => (typed: string) => findPasswordAdvice(typed, list))
      },
      () => undefined
    )
  }, [isTyping])

  const length = password.trim().length
  const advice = advise?.(password)
  const rating = advice ? t('Weak') : t(length >= STRONG_LENGTH ? 'Strong' : 'Good')
  const showRating = advise && length >= ACCOUNT_LIMITS.passwordMin
  return (
    <p aria-live="polite">
      {showRating ? (
        <>
          <b className={advice ? 'text-chilli' : 'text-leaf'}>{rating}.</b> {advice}
        </>
      ) : (
        t('At least {count} characters.', { count: ACCOUNT_LIMITS.passwordMin })
      )}
    </p>
  )
}

interface AreaButtonsProps {
  /** Names of post offices, some with the district in brackets. */
  areas: readonly string[] | undefined
  onChoose: (area: string) => void
}

export function AreaButtons({ areas = [], onChoose }: AreaButtonsProps) {
  if (areas.length === 0) return null
  const names = [...new Set(areas.map(area => area.replace(/ \(.*/, '')))]
  return (
    <div
      role="group"
      aria-label={t('Areas of this pincode')}
      className="flex gap-2 overflow-x-auto py-1"
    >
      {names.map(name => (
        <Button key={name} label={name} className="shrink-0" onClick={() => onChoose(name)} />
      ))}
    </div>
  )
}
