import type { Choices } from '../account/forms.ts'
import type { Translation } from '../constants.ts'
import type { PictureUse } from '../contract/catalog.ts'
import type { DeliveryPlace } from '../contract/delivery.ts'
import { cleanText, toCode } from '../contract/formats.ts'
import { t } from '../contract/texts.ts'
import { findFreeSlug, toSlug } from '../paths.ts'
import { ADMIN_TEXTS } from '../contract/admin-texts.ts'
import type { FieldErrors } from '../errors.ts'
import { fromIndianDateTime, toIndianDateTime } from '../time.ts'
import {
  groupByText,
  type FieldSpec,
  type InputSpec,
  type ListSpec,
  type SectionForm,
  type Typed,
  WEEKDAYS
} from './fields.ts'

export interface FieldChoices {
  category: Choices
  product: Choices
  places?: readonly DeliveryPlace[]
}

/** By path, for example `{ 'address.street': '4 Rockfort Road' }`. */
export function flatten(value: object, prefix = ''): Typed {
  const entries = Object.entries(value).flatMap(([name, part]: [string, unknown]) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.entries(flatten(part, `${prefix}${name}.`))
      : [[`${prefix}${name}`, part] as const]
  )
  return Object.fromEntries(entries)
}

export function toTyped(specs: readonly FieldSpec[], value: object): Typed {
  return Object.fromEntries(specs.map(spec => [spec.name, toTypedField(spec, value)]))
}

function toTypedField({ kind, name }: FieldSpec, value: object): unknown {
  const field = readPath(value, name)
  if (kind === 'photo') return field ?? null
  if (field === null || field === undefined) return ''
  if (kind === 'datetime') return toIndianDateTime(String(field))
  if (kind === 'lines') return toItems(field).join('\n')
  return typeof field === 'number' || kind === 'boolean' ? String(field) : field
}

export function readPath(value: unknown, path: string): unknown {
  let part = value
  for (const key of path.split('.')) part = (part as Typed | null | undefined)?.[key]
  return part
}

/** Leaves out undefined values. */
export function toValue(fields: Typed): object {
  const given = Object.entries(fields).filter(([, field]) => field !== undefined)
  return given.reduce<object>(
    (value, [path, field]) => changePath(value, path.split('.'), field),
    {}
  )
}

export function listSpecs({ groups }: SectionForm): FieldSpec[] {
  return groups.flatMap(({ fields }) => fields)
}

export function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** `item` is an entry of a list. Its only field may have no name. */
export function readItem(item: unknown, { name }: InputSpec): unknown {
  return name === '' ? item : readPath(item, name)
}

export function changeItem(item: unknown, { name }: InputSpec, value: unknown): unknown {
  return name === '' ? value : changePath(item, name.split('.'), value)
}

function changePath(item: unknown, [name = '', ...rest]: string[], value: unknown): object {
  const before = (item as Typed | undefined)?.[name]
  return { ...(item as Typed), [name]: rest.length > 0 ? changePath(before, rest, value) : value }
}

export function toItemPath(list: string, index: number, { name }: InputSpec): string {
  return [list, index, name].filter(part => part !== '').join('.')
}

export function createItem({ fields, defaults }: ListSpec): unknown {
  const empty: Partial<Record<string, unknown>> = { checkbox: false, icon: 'leaf' }
  const english = fields.filter(({ translates }) => !translates)
  const values = english.map(({ name, kind }) => [name, empty[kind] ?? ''] as const)
  return fields[0]?.name === '' ? '' : { ...Object.fromEntries(values), ...defaults }
}

/** True if an English text has no translation into this or, without it, any language. */
export function lacksTexts(
  specs: readonly FieldSpec[],
  value: unknown,
  language?: Translation
): boolean {
  const isFilled = (spec: InputSpec) => String(readItem(value, spec) ?? '').trim() !== ''
  return groupByText(specs).some(([spec, ...translations]) => {
    if (spec?.kind === 'list')
      return toItems(readPath(value, spec.name)).some(item =>
        lacksTexts(spec.fields, item, language)
      )
    const asked = (translations as InputSpec[]).filter(
      each => !language || each.language === language
    )
    return spec !== undefined && isFilled(spec) && !asked.every(isFilled)
  })
}

export function listFieldNames(specs: readonly FieldSpec[], typed: Typed): string[] {
  return specs.flatMap(spec => {
    if (spec.kind === 'photo') return [spec.name, `${spec.name}.alt`]
    if (spec.kind !== 'list') return [spec.name]
    const entries = toItems(typed[spec.name]).flatMap((_, index) =>
      spec.fields.map(field => toItemPath(spec.name, index, field))
    )
    return [spec.name, ...entries]
  })
}

export function readTyped(typed: Typed, name: string): unknown {
  return readPath(toValue(typed), name)
}

/** A field that was not edited keeps its value `before`: the form shows no seconds. */
export function parseTyped(specs: readonly FieldSpec[], typed: Typed, before?: object): Typed {
  const parsed = specs.map(spec => {
    const { name } = spec
    if (spec.kind === 'list') {
      const items = toItems(typed[name]).map(item => parseItem(spec, item))
      return [name, name === 'categories' ? nameCategories(items) : items]
    }
    return before && toTypedField(spec, before) === typed[name]
      ? [name, readPath(before, name)]
      : [name, parseField(spec, typed[name])]
  })
  return { ...typed, ...Object.fromEntries(parsed) }
}

function parseItem({ fields }: ListSpec, item: unknown): unknown {
  return fields.reduce((parsed, field) => {
    const typed = readItem(item, field)
    const value = parseField(field, typed)
    return value === typed ? parsed : changeItem(parsed, field, value)
  }, item)
}

const NUMBERS: readonly FieldSpec['kind'][] = ['amount', 'percent', 'whole', 'number']

/** An empty number or optional time is null, a wrong number NaN, no translation undefined. */
function parseField(spec: InputSpec, typed: unknown): unknown {
  const { kind, isOptional = false } = spec
  if (spec.translates && String(typed ?? '').trim() === '') return undefined
  if (typeof typed === 'number') return typed
  if (kind === 'photo') return typed ? toPictureUse(typed as PictureUse) : null
  const string = typeof typed === 'string' ? typed : ''
  const text = (kind === 'secret' ? string : cleanText(string)).trim()
  if (NUMBERS.includes(kind)) {
    const plain = toCode(text).replace(/^rs\.?|[₹%,]|\/-$/gi, '')
    if (plain === '') return null
    return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : NaN
  }
  if (kind === 'datetime') return fromIndianDateTime(text) ?? (isOptional ? null : '')
  if (kind === 'boolean') return text === 'true'
  if (kind === 'lines') return text.split('\n').flatMap(line => line.trim() || [])
  return typeof typed === 'string' ? text : typed
}

export function findProblems(specs: readonly InputSpec[], fields: object): FieldErrors {
  const wrong = specs.flatMap(spec => {
    const value = readPath(fields, spec.name)
    if (spec.kind === 'photo' && (value as PictureUse | null)?.alt === '')
      return [[`${spec.name}.alt`, ADMIN_TEXTS.pictureAltRequired]]
    const { problem } = spec
    return problem && isWrong(spec, value) ? [[spec.name, ADMIN_TEXTS[problem]]] : []
  })
  return Object.fromEntries(wrong) as FieldErrors
}

export function parseNumber(spec: InputSpec, text: string): number | undefined {
  const value = parseField(spec, text)
  return typeof value === 'number' && !isWrong(spec, value) ? value : undefined
}

function isWrong(spec: InputSpec, value: unknown) {
  const { kind, isOptional = false, min = 0, max = Infinity } = spec
  if (value === null || value === undefined || value === '') return !isOptional
  if (Array.isArray(value)) return value.length === 0 && !isOptional
  if (typeof value !== 'number') return false
  const decimals = { whole: 0, amount: 2, percent: 2 }[kind as string] ?? 6
  const isRounded = Math.abs(value - Number(value.toFixed(decimals))) < 1e-9
  return !(value >= min && value <= max && isRounded)
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

export function formatField(spec: FieldSpec, value: unknown, choices: FieldChoices): string[] {
  if (spec.kind === 'list') {
    return toItems(value).map(item =>
      spec.fields.flatMap(field => formatField(field, readItem(item, field), choices)).join(' · ')
    )
  }
  const { kind, label, empty } = spec
  if (kind === 'categories') return toItems(value).map(name => toLabel(choices.category, name))
  if (kind === 'weekdays') return toItems(value).map(day => toLabel(WEEKDAYS, String(day)))
  if (kind === 'checkbox') return value === true ? [t(label)] : []
  if (value === '' && empty !== undefined) return [t(empty)]
  if (kind === 'place' || value === '' || value === undefined || value === null) return []
  if (kind === 'secret') return ['••••']
  if (kind === 'choice' || kind === 'radio') return [toLabel(spec.choices ?? [], value)]
  if (kind === 'category' || kind === 'product') return [toLabel(choices[kind], value)]
  if (kind === 'percent') return [`${String(value)}%`]
  return [kind === 'amount' ? `₹${String(value)}` : String(value)]
}

const SNIPPET_LENGTH = 160
const SHARED_CHARACTERS = 20

export function findDifference(text: string, other: string): string {
  let sharedLength = 0
  while (sharedLength < text.length && text[sharedLength] === other[sharedLength]) sharedLength++
  const start = Math.max(0, text.lastIndexOf(' ', sharedLength - SHARED_CHARACTERS))
  const end = start + SNIPPET_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}

export function formatConflict(
  spec: FieldSpec,
  { value, other }: { value: unknown; other: unknown },
  choices: FieldChoices
): string {
  const toText = (side: unknown) => formatField(spec, side, choices).join('; ')
  return findDifference(toText(value), toText(other))
}

function toLabel(choices: Choices, value: unknown) {
  return t(choices.find(([name]) => name === value)?.[1] ?? String(value))
}

export function toPictureUse({ key, alt }: PictureUse): PictureUse {
  return { key, alt: alt.trim() }
}

export function pickEdits<Fields extends object>(original: Fields, typed: Fields): Partial<Fields> {
  const edited = Object.entries(typed).filter(
    ([name, value]) => !isSame(Reflect.get(original, name), value)
  )
  return Object.fromEntries(edited) as Partial<Fields>
}

export function findConflictingFields<Fields extends object>(
  original: Fields,
  theirs: Fields,
  typed: Fields
): (keyof Fields)[] {
  const names = Object.keys(pickEdits(original, typed)) as (keyof Fields)[]
  return names.filter(
    name => !isSame(original[name], theirs[name]) && !isSame(theirs[name], typed[name])
  )
}

/** Adds the chosen value to the choices if it no longer exists, and the empty choice if given. */
export function withChosen(choices: Choices, chosen: string, empty?: string): Choices {
  const all = empty === undefined ? choices : [['', empty] as const, ...choices]
  const isKnown = all.some(([value]) => value === chosen)
  return isKnown ? all : [[chosen, t('{chosen} (no longer exists)', { chosen })], ...all]
}

function isSame(a: unknown, b: unknown) {
  return JSON.stringify(a) === JSON.stringify(b)
}
