import { SETTING_LIMITS } from '../constants.ts'
import type { FeatureIcon } from '../contract/names.ts'

const { line, text } = SETTING_LIMITS

interface Labelled {
  /**
   * Path in the section, for example 'address.street'. The value of a list's only field has no
   * name.
   */
  name: string
  label: string
  hint?: string
}

export interface InputSpec extends Labelled {
  kind:
    | 'text'
    | 'email'
    | 'tel'
    | 'url'
    | 'date'
    | 'amount'
    | 'percent'
    | 'whole'
    | 'time'
    | 'area'
    | 'markdown'
    | 'picture'
    | 'icon'
    | 'category'
    | 'product'
    | 'choice'
    | 'checkbox'
    | 'categories'
    | 'weekdays'
  max?: number
  /** Of an `area`. By default 3. */
  rows?: number
  isTamil?: boolean
  /** Of a `choice`: values and their labels. */
  choices?: readonly (readonly [value: string, label: string])[]
  /** What an empty `category` means. Without it, one must be chosen. */
  empty?: string
  /**
   * A field of the same section or list entry and its value, without which this field is not shown.
   */
  needs?: readonly [field: string, value: string]
}

export interface ListSpec extends Labelled {
  kind: 'list'
  /** For example 'banner' in 'Add banner'. */
  noun: string
  max: number
  fields: readonly InputSpec[]
  /** Shows two fields beside each other on wide screens. */
  isDense?: boolean
  /** The entries can't be moved, because their order means nothing. */
  isUnordered?: boolean
  defaults?: Readonly<Record<string, unknown>>
}

export type FieldSpec = InputSpec | ListSpec

interface FieldGroup {
  legend: string
  hint?: string
  fields: readonly FieldSpec[]
}

export interface SectionForm {
  title: string
  purpose: string
  page?: string
  groups: readonly FieldGroup[]
}

/** Numbers as of `Date.getDay`. */
export const WEEKDAYS = [
  ['1', 'Monday'],
  ['2', 'Tuesday'],
  ['3', 'Wednesday'],
  ['4', 'Thursday'],
  ['5', 'Friday'],
  ['6', 'Saturday'],
  ['0', 'Sunday']
] as const

export const ICON_LABELS: Readonly<Record<FeatureIcon, string>> = {
  leaf: 'Leaf',
  pot: 'Cooking pot',
  heart: 'Heart',
  bike: 'Delivery bike',
  shield: 'Shield',
  chat: 'Speech bubble',
  oven: 'Oven',
  box: 'Box',
  clock: 'Clock',
  tag: 'Price tag'
}

const MAX_LENGTHS: Partial<Record<InputSpec['kind'], number>> = {
  text: line,
  email: line,
  tel: line,
  url: text,
  area: text,
  whole: line
}

type FieldOptions = Partial<Omit<InputSpec, 'kind' | 'name' | 'label'>>

/** `more` is the hint, or all options. */
export function field(
  kind: InputSpec['kind'],
  name: string,
  label: string,
  more: string | FieldOptions = {}
): InputSpec {
  const options = typeof more === 'string' ? { hint: more } : more
  const max = MAX_LENGTHS[kind]
  return { kind, name, label, ...(max !== undefined && { max }), ...options }
}

export function group(legend: string, hint: string, fields: readonly FieldSpec[]): FieldGroup {
  return { legend, fields, ...(hint && { hint }) }
}

export const searchText = field(
  'area',
  'description',
  'Text for search engines',
  'One or two sentences that Google may show.'
)

type ListOptions = Partial<Pick<ListSpec, 'hint' | 'max' | 'isDense' | 'isUnordered' | 'defaults'>>

export function listField(
  name: string,
  label: string,
  noun: string,
  options: ListOptions,
  fields: readonly InputSpec[]
): ListSpec {
  return { kind: 'list', name, label, noun, fields, max: SETTING_LIMITS.list, ...options }
}
