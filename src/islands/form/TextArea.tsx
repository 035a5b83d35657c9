import type { TextareaHTMLAttributes } from 'react'
import { Problem } from './Field.tsx'
import type { FieldState } from './use-form.ts'

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'id'> {
  state: FieldState
  label: string
  hint?: string
}

export function TextArea({ state, label, hint, className = '', ...area }: TextAreaProps) {
  const showHint = hint !== undefined && !state.invalid
  return (
    <div className={className}>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        {label}
      </label>
      <textarea
        id={state.id}
        name={state.name}
        aria-invalid={state.invalid}
        aria-describedby={showHint ? `${state.id}-hint` : state.describedBy}
        className="field"
        {...area}
      />
      <Problem state={state} />
      {showHint && (
        <p id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
          {hint}
        </p>
      )}
    </div>
  )
}
