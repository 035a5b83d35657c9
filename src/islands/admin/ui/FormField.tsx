import { type ReactNode, useState } from 'react'
import type { Choices } from '#lib/account/forms.ts'
import { toItems, withChosen } from '#lib/admin/field-values.ts'
import { ICON_LABELS, type InputSpec, labelOf, WEEKDAYS } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SAVED_SECRET } from '#lib/constants.ts'
import type { DeliveryPlace } from '#lib/contract/delivery.ts'
import { FEATURE_ICONS, type FeatureIcon } from '#lib/contract/names.ts'
import { t, text as mark } from '#lib/contract/texts.ts'
import { toDayInIndia } from '#lib/time.ts'
import { Icon } from '../../ui/Button.tsx'
import { Field, PasswordField, Problem, SelectField, TextArea } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import { MarkdownField, Preview } from './MarkdownField.tsx'
import { SitePictureField } from './PictureFields.tsx'
import type { RecordFormState } from './use-record-form.ts'
import { Note } from './views.tsx'

interface FormFieldProps {
  spec: InputSpec
  path: string
  context: RecordFormState
  value: unknown
  /** The heading above has the same text. Screen readers still need the label. */
  hidesLabel?: boolean
  isReadOnly?: boolean
  autoFocus?: boolean
  onChange: (value: unknown) => void
}

const DECIMAL = { type: 'text', inputMode: 'decimal' } as const
const INPUT_TYPES = {
  text: { type: 'text' },
  code: { type: 'text', autoCapitalize: 'characters', spellCheck: false },
  slug: { type: 'text', autoCapitalize: 'none', spellCheck: false },
  email: { type: 'email', autoCapitalize: 'none' },
  tel: { type: 'tel' },
  url: { type: 'url', autoCapitalize: 'none' },
  date: { type: 'date' },
  datetime: { type: 'datetime-local' },
  amount: DECIMAL,
  percent: DECIMAL,
  number: DECIMAL,
  pincode: { type: 'text', inputMode: 'numeric' },
  whole: { type: 'text', inputMode: 'numeric' },
  time: { type: 'time' }
} as const
type TypedKind = keyof typeof INPUT_TYPES
const TYPED_PLACE = ['typed', mark('Type pincodes')] as const
const CHOOSE = { category: mark('Choose a category'), product: mark('Choose a product') }
const MAX_CHIPS = 8
const WITH_LENGTH = /^(text|slug|email|tel|url|area|markdown)$/

export function FormField(props: FormFieldProps) {
  const { spec, path, context, value, hidesLabel, isReadOnly = false, autoFocus, onChange } = props
  const state = context.field(path)
  const { hint, language, isOptional, choices = [] } = spec
  const text = String(value ?? '')
  const chosen = toItems(value).map(String)
  const name = labelOf(spec)
  const label = isOptional ? t('{label} (optional)', { label: name }) : name
  const labels = { state, label, hint: isReadOnly ? ADMIN_MESSAGES.ownerField : hint && t(hint) }
  const input = {
    value: text,
    lang: language,
    maxLength: WITH_LENGTH.test(spec.kind) ? spec.max : undefined,
    readOnly: isReadOnly,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value)
  }
  switch (spec.kind) {
    case 'area':
    case 'lines':
      return <TextArea {...labels} {...input} rows={spec.rows ?? 3} />
    case 'markdown':
      return (
        <MarkdownField
          {...labels}
          {...input}
          preview={isSideBySide => <Preview content={text} isSideBySide={isSideBySide} />}
        />
      )
    case 'picture':
      return <SitePictureField {...labels} name={text} onChange={onChange} />
    case 'icon': {
      const icons = FEATURE_ICONS.map(name => [name, ICON_LABELS[name]] as const)
      return <ChipsField {...labels} choices={icons} chosen={text} hasIcons onChange={onChange} />
    }
    case 'checkbox':
      return (
        <div>
          <Checkbox label={label} name={state.name} checked={value === true} onChange={onChange} />
          <Problem state={state} />
        </div>
      )
    case 'choice':
    case 'boolean':
      return <SelectField {...labels} {...input} choices={withChosen(choices, text)} />
    case 'radio':
      return (
        <TicksField
          {...labels}
          type="radio"
          {...{ choices, chosen: [text], hidesLabel }}
          onChange={([only]) => onChange(only)}
        />
      )
    case 'place': {
      const places = context.choices.places ?? []
      // Its name is stored in English.
      const toName = ({ area, name }: DeliveryPlace) =>
        [area, area === 'india' ? t('All of India') : name] as const
      const all = [...places.map(toName), TYPED_PLACE]
      const empty = text === '' ? t('Choose a place') : undefined
      return <SelectField {...labels} {...input} choices={withChosen(all, text, empty)} />
    }
    case 'categories':
      return (
        <TicksField
          {...labels}
          choices={chosen.reduce<Choices>(
            (known, name) => withChosen(known, name),
            context.choices.category
          )}
          chosen={chosen}
          onChange={onChange}
        />
      )
    case 'weekdays':
      return (
        <TicksField
          {...labels}
          choices={WEEKDAYS}
          chosen={chosen}
          onChange={days => onChange(days.map(Number))}
        />
      )
    case 'category':
    case 'product': {
      const all = context.choices[spec.kind]
      if (spec.hasChips && all.length <= MAX_CHIPS) {
        const chips = text === '' ? all : withChosen(all, text)
        return <ChipsField {...labels} choices={chips} chosen={text} onChange={onChange} />
      }
      const empty = spec.empty ?? (text === '' ? CHOOSE[spec.kind] : undefined)
      const known = withChosen(all, text, empty)
      return <SelectField {...labels} {...input} choices={known} />
    }
    case 'secret': {
      const isSaved = text === SAVED_SECRET
      return (
        <PasswordField
          {...labels}
          {...input}
          // Browsers ignore “off” and would fill in the owner's own password.
          autoComplete="new-password"
          value={isSaved ? '' : text}
          placeholder={isSaved ? t('Saved') : undefined}
        />
      )
    }
    case 'photo':
    case 'own':
      return null
    default:
      return (
        <Field
          {...labels}
          {...input}
          {...INPUT_TYPES[spec.kind satisfies TypedKind]}
          {...(spec.prefix !== undefined && { prefix: spec.prefix })}
          max={spec.isPast ? toDayInIndia(Date.now()) : undefined}
          required={spec.problem !== undefined && !isOptional}
          autoFocus={autoFocus}
          className={isReadOnly ? '[&_input]:bg-cream-deep' : undefined}
        />
      )
  }
}

interface GroupProps {
  state: FieldState
  label: string
  hint?: string | undefined
}

interface ChipsFieldProps extends GroupProps {
  choices: Choices
  chosen: string
  hasIcons?: boolean
  onChange: (chosen: string) => void
}

function ChipsField(props: ChipsFieldProps) {
  const { state, label, choices, chosen, hasIcons = false, onChange } = props
  return (
    <fieldset className="min-w-0" aria-describedby={state.describedBy}>
      <legend className="mb-1 font-semibold">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(([value, text], index) => (
          <label
            key={value}
            title={hasIcons ? t(text) : undefined}
            className={
              'target cursor-pointer rounded-xl border border-ink/30 bg-paper ' +
              'has-[:checked]:border-chilli has-[:checked]:bg-chilli has-[:checked]:text-paper ' +
              'has-[:focus-visible]:outline has-[:focus-visible]:outline-[3px] ' +
              'has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-chilli ' +
              `relative ${hasIcons ? '' : 'px-4'}`
            }
          >
            <input
              type="radio"
              name={state.name}
              value={value}
              checked={chosen === value}
              data-field={index === 0 ? state.name : undefined}
              className="sr-only"
              onChange={() => onChange(value)}
            />
            {hasIcons && <Icon name={value as FeatureIcon} className="size-6" />}
            <span className={hasIcons ? 'sr-only' : undefined}>{t(text)}</span>
          </label>
        ))}
      </div>
      <Problem state={state} />
    </fieldset>
  )
}

interface TicksFieldProps extends GroupProps {
  type?: CheckboxProps['type']
  hidesLabel?: boolean | undefined
  choices: Choices
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function TicksField(props: TicksFieldProps) {
  const { state, type, label, hidesLabel = false, hint, choices, chosen, onChange } = props
  // An unchecked category that no longer exists stays, because its checkbox has the focus.
  const [first] = useState(choices)
  const all = [...first, ...choices.filter(([name]) => !first.some(([other]) => other === name))]
  return (
    <fieldset className="min-w-0">
      <legend className={hidesLabel ? 'sr-only' : 'mb-1 font-semibold'}>{label}</legend>
      {hint !== undefined && <Note>{hint}</Note>}
      {all.map(([name, text]) => (
        <Checkbox
          key={name}
          label={t(text)}
          type={type}
          name={state.name}
          checked={chosen.includes(name)}
          onChange={isChosen => {
            const others = type === 'radio' ? [] : chosen.filter(other => other !== name)
            onChange([...others, ...(isChosen ? [name] : [])])
          }}
        />
      ))}
      <Problem state={state} />
    </fieldset>
  )
}

interface CheckboxProps {
  label: ReactNode
  type?: 'checkbox' | 'radio' | undefined
  name: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function Checkbox({ label, type = 'checkbox', name, checked, onChange }: CheckboxProps) {
  return (
    <label className="flex min-h-target cursor-pointer items-center gap-3">
      <input
        type={type}
        name={name}
        className="size-5 shrink-0 accent-chilli"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  )
}
