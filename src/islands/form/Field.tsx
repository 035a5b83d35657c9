import type { InputHTMLAttributes, ReactNode } from 'react'
import type { FieldState } from './use-form.ts'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'> {
  state: FieldState
  label: string
  prefix?: string
  /** Shown inside the input, at its end. */
  children?: ReactNode
  hint?: ReactNode
}

export function Field({ state, label, prefix, children, hint, className = '', ...input }: FieldProps) {
  const showHint = hint !== undefined && !state.invalid
  const describedBy = [showHint ? `${state.id}-hint` : state.describedBy, prefix && `${state.id}-prefix`]
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
          aria-describedby={describedBy}
          className={`field ${children ? 'pr-24' : ''}`}
          {...input}
        />
        {children}
      </div>
      <Problem state={state} />
      {showHint && (
        <div id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
          {hint}
        </div>
      )}
    </div>
  )
}

/** Renders an element even without a problem, because the field's aria-describedby refers to it. */
export function Problem({ state }: { state: FieldState }) {
  return (
    <p id={`${state.id}-problem`} className="mt-1 font-semibold text-chilli empty:hidden">
      {state.problem}
    </p>
  )
}
