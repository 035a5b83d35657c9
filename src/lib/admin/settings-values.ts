import type { Choices } from '../account/forms.ts'
import { findFreeSlug, toSlug } from '../paths.ts'
import { findDifference } from './post-form.ts'
import {
  WEEKDAYS,
  type FieldSpec,
  type InputSpec,
  type ListSpec,
  type SectionForm
} from './settings-fields.ts'

/**
 * The values of a section by path, for example `{ 'address.street': '4 Rockfort Road', social: []
 * }`.
 */
export type Fields = Readonly<Record<string, unknown>>
export interface FieldChoices {
  category: Choices
  product: Choices
}

export function toFields(value: object, prefix = ''): Fields {
  const entries = Object.entries(value).flatMap(([name, part]: [string, unknown]) =>
    isObject(part)
      ? Object.entries(toFields(part, `${prefix}${name}.`))
      : [[`${prefix}${name}`, part] as const]
  )
  return Object.fromEntries(entries)
}

/** The values as a form holds them: amounts are text, and a missing one is empty. */
export function toTyped(value: object): Fields {
  const entries = Object.entries(toFields(value))
  return Object.fromEntries(
    entries.map(([path, field]) => [
      path,
      typeof field === 'number' ? String(field) : (field ?? '')
    ])
  )
}

export function toValue(fields: Fields): object {
  const value: Record<string, unknown> = {}
  for (const [path, field] of Object.entries(fields)) {
    const [name = '', ...rest] = path.split('.')
    const inner = rest.join('.')
    value[name] =
      inner === ''
        ? field
        : { ...(value[name] as object | undefined), ...toValue({ [inner]: field }) }
  }
  return value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listSpecs({ groups }: SectionForm): FieldSpec[] {
  return groups.flatMap(({ fields }) => fields)
}

export function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** `item` is an entry of a list. Its only field may have no name. */
export function readItem(item: unknown, { name }: InputSpec): unknown {
  return name === '' ? item : (item as Fields)[name]
}

export function isNeeded(item: unknown, { needs }: InputSpec): boolean {
  return needs === undefined || (item as Fields)[needs[0]] === needs[1]
}

export function changeItem(item: unknown, { name }: InputSpec, value: unknown): unknown {
  return name === '' ? value : { ...(item as Fields), [name]: value }
}

export function toItemPath(list: string, index: number, { name }: InputSpec): string {
  return [list, index, name].filter(part => part !== '').join('.')
}

export function createItem({ fields, defaults }: ListSpec): unknown {
  const values = fields.map(spec => [spec.name, EMPTY_VALUES[spec.kind] ?? ''] as const)
  return fields[0]?.name === '' ? '' : { ...Object.fromEntries(values), ...defaults }
}

const EMPTY_VALUES: Partial<Record<InputSpec['kind'], unknown>> = { checkbox: false, icon: 'leaf' }

/** The names of all fields in display order, as the server names them in its field errors. */
export function listFieldNames(form: SectionForm, typed: Fields): string[] {
  return listSpecs(form).flatMap(spec => {
    if (spec.kind !== 'list') return [toFieldName(spec.name)]
    const entries = toItems(typed[spec.name]).flatMap((_, index) =>
      spec.fields.map(field => toItemPath(spec.name, index, field))
    )
    return [spec.name, ...entries].map(toFieldName)
  })
}

export function toFieldName(path: string): string {
  return `value.${path}`
}

/** Returns the typed value of a field, such as 'value.banners.0.link'. */
export function readTyped(typed: Fields, fieldName: string): unknown {
  let part: unknown = toValue(typed)
  for (const key of fieldName.split('.').slice(1)) part = (part as Fields | undefined)?.[key]
  return part
}

/**
 * Converts typed amounts, rates and counts to numbers and names new categories after their labels.
 */
export function parseTyped(form: SectionForm, typed: Fields): Fields {
  const parsed = listSpecs(form).map(spec => {
    const { name } = spec
    if (spec.kind !== 'list') return [name, parseField(spec, typed[name])]
    const items = toItems(typed[name]).map(item => parseItem(spec, item))
    return [name, name === 'categories' ? nameCategories(items) : items]
  })
  return { ...typed, ...Object.fromEntries(parsed) }
}

function parseItem({ fields }: ListSpec, item: unknown): unknown {
  return fields.reduce(
    (parsed, field) => changeItem(parsed, field, parseField(field, readItem(item, field))),
    item
  )
}

/** An empty text is null, which the server refuses where it needs a number. */
function parseField({ kind }: InputSpec, typed: unknown): unknown {
  if (kind !== 'amount' && kind !== 'percent' && kind !== 'whole') return typed
  const plain = String(typed ?? '').replace(/[₹%,\s]/g, '')
  return plain === '' ? null : Number(plain)
}

function nameCategories(items: readonly unknown[]): unknown[] {
  const categories = items as readonly { name: string; label: string }[]
  const taken = new Set(categories.map(({ name }) => name))
  return categories.map(category => {
    if (category.name !== '') return category
    const name = findFreeSlug(toSlug(category.label, 'category'), taken)
    taken.add(name)
    return { ...category, name }
  })
}

/** Returns the value in words, a line for each entry of a list. */
export function formatField(spec: FieldSpec, value: unknown, choices: FieldChoices): string[] {
  if (spec.kind === 'list') {
    return toItems(value).map(item =>
      spec.fields.flatMap(field => formatField(field, readItem(item, field), choices)).join(' · ')
    )
  }
  if (spec.kind === 'categories') return toItems(value).map(name => toLabel(choices.category, name))
  if (spec.kind === 'weekdays') return toItems(value).map(day => toLabel(WEEKDAYS, String(day)))
  if (spec.kind === 'checkbox') return value === true ? [spec.label] : []
  if (value === '' && spec.empty !== undefined) return [spec.empty]
  if (value === '' || value === undefined || value === null) return []
  if (spec.kind === 'choice') return [toLabel(spec.choices ?? [], value)]
  if (spec.kind === 'percent') return [`${String(value)}%`]
  if (spec.kind === 'category' || spec.kind === 'product')
    return [toLabel(choices[spec.kind], value)]
  return [spec.kind === 'amount' ? `₹${String(value)}` : String(value)]
}

/** Shows the part of a long value that differs from `other`. */
export function formatConflict(
  spec: FieldSpec,
  { value, other }: { value: unknown; other: unknown },
  choices: FieldChoices
): string {
  const toText = (side: unknown): string => formatField(spec, side, choices).join('; ')
  return findDifference(toText(value), toText(other))
}

export function toLabel(choices: Choices, value: unknown): string {
  return choices.find(([name]) => name === value)?.[1] ?? String(value)
}
