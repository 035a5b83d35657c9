import type { ReactNode, SelectHTMLAttributes } from 'react'
import { Problem } from './Field.tsx'
import type { FieldState } from './use-form.ts'

interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'id'> {
  state: FieldState
  label: string
  children: ReactNode
  hint?: string
}

export function SelectField({ state, label, children, hint, ...select }: SelectFieldProps) {
  const showHint = hint !== undefined && !state.invalid
  return (
    <div>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        {label}
      </label>
      <select
        id={state.id}
        name={state.name}
        aria-invalid={state.invalid}
        aria-describedby={showHint ? `${state.id}-hint` : state.describedBy}
        className="field"
        {...select}
      >
        {children}
      </select>
      <Problem state={state} />
      {showHint && (
        <p id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
          {hint}
        </p>
      )}
    </div>
  )
}
