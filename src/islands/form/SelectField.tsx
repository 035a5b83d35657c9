import type { ReactNode, SelectHTMLAttributes } from 'react'
import { Problem } from './Field.tsx'
import type { FieldState } from './use-form.ts'

interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'id'> {
  state: FieldState
  label: string
  /** The options. */
  children: ReactNode
  /** Said under the field while there is nothing wrong with it. */
  hint?: string
}

/** A label, a list to choose from, and under it what is wrong with it. */
export function SelectField({ state, label, children, hint, ...select }: SelectFieldProps) {
  const hinting = hint !== undefined && !state.invalid
  return (
    <div>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        {label}
      </label>
      <select
        id={state.id}
        name={state.name}
        aria-invalid={state.invalid}
        aria-describedby={hinting ? `${state.id}-hint` : state.describedBy}
        className="field"
        {...select}
      >
        {children}
      </select>
      <Problem state={state} />
      {hinting && (
        <p id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
          {hint}
        </p>
      )}
    </div>
  )
}
