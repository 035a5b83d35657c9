import { type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import {
  changeItem,
  createItem,
  lacksTexts,
  readItem,
  toItemPath,
  toItems
} from '#lib/admin/field-values.ts'
import { type FieldSpec, groupByText, isNeeded, type ListSpec } from '#lib/admin/fields.ts'
import { placeZone } from '#lib/admin/zones.ts'
import { LANGUAGES, TRANSLATIONS } from '#lib/constants.ts'
import { t } from '#lib/contract/texts.ts'
import type { Zone } from '#lib/delivery/terms.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Field.tsx'
import { FormField } from './FormField.tsx'
import { MoveButtons } from './MovableList.tsx'
import { PhotoField } from './PictureFields.tsx'
import type { RecordFormState } from './use-record-form.ts'
import { Note } from './views.tsx'

interface MissingTextsProps {
  specs: readonly FieldSpec[]
  items: readonly object[]
}

interface FormFieldsProps {
  specs: readonly FieldSpec[]
  form: RecordFormState
  legend?: string
  readOnly?: readonly string[]
  own?: Readonly<Record<string, ReactNode>>
  below?: Readonly<Record<string, ReactNode>>
  autoFocus?: string | undefined
}

export function FormFields(props: FormFieldsProps) {
  const { specs, form, legend, readOnly = [], own = {}, below = {}, autoFocus } = props
  const { typed, change } = form
  return withPairs(specs, (spec, isAlone) => {
    const { name, isWide } = spec
    const value = {
      value: typed[name],
      context: form,
      onChange: (value: unknown) => change(name, value)
    }
    const hidesLabel = spec.label === legend
    if (spec.kind === 'list')
      return <ListField key={name} spec={spec} hidesLabel={hidesLabel} {...value} />
    if (own[name] === undefined && !isNeeded(typed, spec)) return null
    const field =
      spec.kind === 'photo' ? (
        <PhotoField form={form} hint={spec.hint} />
      ) : (
        <FormField
          spec={spec}
          path={name}
          hidesLabel={hidesLabel}
          isReadOnly={readOnly.includes(name)}
          autoFocus={name === autoFocus}
          {...value}
        />
      )
    return (
      <div key={name} className={`min-w-0 ${isWide && isAlone ? 'col-span-full' : ''}`}>
        {own[name] ?? field}
        {below[name]}
      </div>
    )
  })
}

/** Says how many items have all their texts, for each language in which one lacks some. */
export function MissingTexts({ specs, items }: MissingTextsProps) {
  return TRANSLATIONS.map(code => {
    const count = items.filter(item => !lacksTexts(specs, item, code)).length
    const values = { count, total: items.length, language: LANGUAGES[code].name }
    if (count === items.length) return null
    return (
      <Note key={code}>
        {t(
          items.length > 1
            ? '{count} of {total} have all texts in {language}. Others are shown in English.'
            : 'Some texts are not in {language} yet. They are shown in English.',
          values
        )}
      </Note>
    )
  })
}

/** Shows translations beside their text, or below it if there is no room. */
function withPairs<Spec extends FieldSpec>(
  specs: readonly Spec[],
  render: (spec: Spec, isAlone: boolean) => ReactNode
): ReactNode[] {
  return groupByText(specs).map(group => {
    const fields = group.map(spec => render(spec, group.length === 1))
    if (group.length === 1) return fields[0]
    // Beside one another, two of them with their previews would be too narrow.
    const columns =
      group[0]?.kind === 'markdown'
        ? 'grid-cols-[minmax(0,1fr)]'
        : 'grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))]'
    return (
      <div key={group[0]?.name} className={`col-span-full grid gap-4 ${columns}`}>
        {fields}
      </div>
    )
  })
}

interface ListFieldProps {
  spec: ListSpec
  context: RecordFormState
  value: unknown
  hidesLabel: boolean
  onChange: (items: unknown[]) => void
}

function ListField({ spec, context, value, hidesLabel, onChange }: ListFieldProps) {
  const { label, hint, noun, fields, max, isDense, isUnordered } = spec
  const items = [...toItems(value)]
  const state = context.field(spec.name)
  const list = useRef<HTMLFieldSetElement>(null)
  const change = (changed: unknown[], ...selectors: readonly string[]) => {
    flushSync(() => onChange(changed))
    const found = selectors.map(each => list.current?.querySelector<HTMLElement>(each))
    const target = found.find(Boolean) ?? list.current
    target?.focus()
  }
  const add = () => {
    const field = ':is(input, select, textarea, [data-field])'
    change([...items, createItem(spec)], `[data-index="${items.length}"] ${field}`)
  }
  const move = (index: number, offset: -1 | 1) => {
    const changed = items.toSpliced(index, 1).toSpliced(index + offset, 0, items[index])
    const moved = `[data-index="${index + offset}"] [data-move`
    change(changed, `${moved}="${offset}"]:not(:disabled)`, `${moved}]:not(:disabled)`)
  }
  const movePlaced = (edited: unknown[], from: number) => {
    const { zones, index } = placeZone(edited as Zone[], from, context.choices.places ?? [])
    change(zones, `[data-index="${index}"] select`)
  }
  const remove = (index: number) => change(items.toSpliced(index, 1), '[data-add]')

  return (
    <fieldset
      ref={list}
      data-field={state.name}
      tabIndex={-1}
      aria-describedby={state.describedBy}
      className="grid min-w-0 gap-3 outline-none"
    >
      <legend className={hidesLabel ? 'sr-only' : 'mb-2 font-semibold'}>{t(label)}</legend>
      {hint && <Note>{t(hint)}</Note>}
      <Problem state={state} />
      {items.map((item, index) => {
        const name = `${t(noun)} ${index + 1}`
        return (
          <fieldset
            // The form has the values, so an entry that moves needs no key.
            key={index}
            data-index={index}
            aria-label={t('{name} of {count}', { name, count: items.length })}
            className={
              'grid min-w-0 gap-4 rounded-card bg-cream-deep p-3 sm:p-4 ' +
              `${isDense ? 'sm:grid-cols-2' : ''}`
            }
          >
            <div className="col-span-full flex items-center gap-2">
              <p className="mr-auto min-w-0 break-words font-semibold first-letter:uppercase">
                {name}
              </p>
              <MoveButtons
                name={name}
                index={index}
                count={items.length}
                onMove={isUnordered ? undefined : offset => move(index, offset)}
                onRemove={() => remove(index)}
              />
            </div>
            {withPairs(
              fields.filter(field => isNeeded(item, field)),
              field => (
                <FormField
                  key={field.name}
                  spec={field}
                  path={toItemPath(spec.name, index, field)}
                  context={context}
                  value={readItem(item, field)}
                  onChange={changed => {
                    const edited = items.with(index, changeItem(item, field, changed))
                    if (field.kind === 'place') movePlaced(edited, index)
                    else onChange(edited)
                  }}
                />
              )
            )}
          </fieldset>
        )
      })}
      <div>
        <Button
          data-add=""
          label={t('Add {noun}', { noun: t(noun) })}
          disabled={items.length >= max}
          onClick={add}
        />
        {items.length >= max && (
          <p className="mt-1 text-sm text-ink/70">{t('At most {max}.', { max })}</p>
        )}
      </div>
    </fieldset>
  )
}
