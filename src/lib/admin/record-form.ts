import { t, text, texts } from '../contract/texts.ts'
import { type InputSpec, type RecordForm, type Typed } from './fields.ts'
import {
  findDifference,
  findProblems,
  flatten,
  parseTyped,
  toTyped,
  toValue
} from './field-values.ts'

interface FormParts<Item, Fields extends object> extends Partial<
  Omit<RecordForm<Item, Fields>, 'specs'>
> {
  toFields: (item: Item) => Fields
  formats?: FieldFormats
}

export function createForm<Item, Fields extends object>(
  specs: readonly InputSpec[],
  { labels, formats = {}, ...form }: FormParts<Item, Fields>
): RecordForm<Item, Fields, InputSpec> {
  // By the first part of the name, as history and conflicts name the fields.
  const ofFields = specs.map(({ name, label }) => [name.split('.')[0], label])
  return {
    specs,
    labels: texts({
      ...Object.fromEntries(ofFields.toReversed()),
      translations: text('Other languages'),
      ...labels
    }),
    format: fieldFormatter(formats),
    toTyped: item => toTyped(specs, form.toFields(item)),
    parse: (typed, before) => parseFields(specs, typed, before) as Fields,
    check: fields => findProblems(specs, fields),
    ...form
  }
}

/** Without its translations, a record would keep those that were deleted. */
export function parseFields(specs: readonly InputSpec[], typed: Typed, before?: object): object {
  const fields = toValue(parseTyped(specs, typed, before))
  return specs.some(({ translates }) => translates) ? { translations: {}, ...fields } : fields
}

type FieldFormats = Partial<Record<string, (value: never) => string>>

export function formatValue(value: unknown, format?: (value: never) => string): string {
  if (value === null || value === undefined || value === '') return t('empty')
  if (format) return format(value as never)
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object') return String(value)
  const parts = Object.values(flatten(value)).map(part => formatValue(part))
  return findDifference(parts.join(' · '), '') || t('empty')
}

export function fieldFormatter(formats: FieldFormats): (field: string, value: unknown) => string {
  return (field, value) => formatValue(value, formats[field])
}
