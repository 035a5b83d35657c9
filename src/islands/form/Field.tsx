import type { InputHTMLAttributes, ReactNode } from 'react'
import type { FieldState } from './use-form.ts'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'> {
  state: FieldState
  label: string
  /** Stands before what is typed, such as a country code. */
  prefix?: string
  /** Stands in the field at its end. */
  children?: ReactNode
  /** Said under the field while there is nothing wrong with it. */
  hint?: ReactNode
}

/** A label, a text field, and under it what is wrong with it. */
export function Field({ state, label, prefix, children, hint, className = '', ...input }: FieldProps) {
  const hinting = hint !== undefined && !state.invalid
  const described = [hinting ? `${state.id}-hint` : state.describedBy, prefix && `${state.id}-prefix`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={className}>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        {label}
      </label>
      <div className="relative flex items-center gap-2">
        {prefix && (
          <span className="flex min-h-target items-center rounded-xl bg-cream-deep px-4" id={`${state.id}-prefix`}>
            {prefix}
          </span>
        )}
        <input
          id={state.id}
          name={state.name}
          aria-invalid={state.invalid}
          aria-describedby={described}
          className={`field ${children ? 'pr-24' : ''}`}
          {...input}
        />
        {children}
      </div>
      <Problem state={state} />
      {hinting && (
        <div id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
          {hint}
        </div>
      )}
    </div>
  )
}

/** What is wrong with a field; always there, so that the field can name it as its description. */
export function Problem({ state }: { state: FieldState }) {
  return (
    <p id={`${state.id}-problem`} className="mt-1 font-semibold text-chilli empty:hidden">
      {state.problem}
    </p>
  )
}
