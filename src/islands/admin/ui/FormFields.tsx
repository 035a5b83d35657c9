import { Fragment, type ReactNode } from 'react'
import type { FieldSpec, Typed } from '#lib/admin/fields.ts'
import { isNeeded } from '#lib/admin/field-values.ts'
import { ListField } from '../settings/ListField.tsx'
import { FormField } from './FormField.tsx'
import type { FormContext } from './use-record-form.ts'

interface FormFieldsProps {
  specs: readonly FieldSpec[]
  form: FormContext & { typed: Typed; change: (name: string, value: unknown) => void }
  /** Heading above the fields. */
  legend?: string
  readOnly?: readonly string[]
  /** Fields that the page shows in its own way, by name. */
  own?: Readonly<Record<string, ReactNode>>
}

export function FormFields({ specs, form, legend, readOnly = [], own = {} }: FormFieldsProps) {
  const { typed, change } = form
  return specs.map(spec => {
    const { name, isWide } = spec
    const props = {
      value: typed[name],
      context: form,
      onChange: (value: unknown) => change(name, value)
    }
    if (spec.kind === 'list')
      return <ListField key={name} spec={spec} hidesLabel={spec.label === legend} {...props} />
    if (own[name] === undefined && !isNeeded(typed, spec)) return null
    const field = own[name] ?? (
      <FormField spec={spec} path={name} isReadOnly={readOnly.includes(name)} {...props} />
    )
    return isWide ? (
      <div key={name} className="col-span-full min-w-0">
        {field}
      </div>
    ) : (
      <Fragment key={name}>{field}</Fragment>
    )
  })
}
