import type {
  InputHTMLAttributes,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes
} from 'react'
import type { Choices } from '#lib/account/forms.ts'
import type { FieldState } from './use-form.ts'

interface LabelProps {
  state: FieldState
  label: string
  hint?: ReactNode
  className?: string | undefined
}

interface FieldProps
  extends LabelProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id' | 'className'> {
  prefix?: string
  children?: ReactNode
}

export function Field({ state, label, prefix, children, hint, className, ...input }: FieldProps) {
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

interface SelectProps
  extends LabelProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'id' | 'className'> {
  choices: Choices
}

export function SelectField({
  state,
  label,
  hint,
  className,
  choices,
  children,
  ...select
}: SelectProps) {
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
      {label}
    </option>
  ))
}

type TextAreaProps = LabelProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'id' | 'className'>

export function TextArea({ state, label, hint, className, ...area }: TextAreaProps) {
  return (
    <Labelled state={state} label={label} hint={hint} className={className}>
      <textarea {...controlAttributes(state, hint)} className="field" {...area} />
    </Labelled>
  )
}

/** Always rendered, because the field's aria-describedby refers to it. */
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

function showsHint({ invalid }: FieldState, hint: ReactNode): boolean {
  return hint !== undefined && !invalid
}
