import type { Choices } from '../account/forms.ts'
import { LANGUAGES, SETTING_LIMITS, type Translation, TRANSLATIONS } from '../constants.ts'
import type { ADMIN_TEXTS } from '../contract/admin-texts.ts'
import type { FieldErrors } from '../errors.ts'
import type { FeatureIcon, PolicyName } from '../contract/names.ts'
import { t, text, texts } from '../contract/texts.ts'

const { line, text: paragraph, name: shortText } = SETTING_LIMITS

/** Another field and its values, without one of which this is not shown. */
type Needs = readonly [field: string, ...values: string[]]

export function isNeeded(item: unknown, { needs }: { needs?: Needs }): boolean {
  return !needs || needs.indexOf(String((item as Typed)[needs[0]]), 1) > 0
}

interface Labelled {
  /** Path in the value, such as 'address.street'. Empty for the only field of a list. */
  name: string
  label: string
  hint?: string
  isWide?: boolean
  needs?: Needs
}

type FieldProblem = keyof typeof ADMIN_TEXTS

export interface InputSpec extends Labelled {
  kind:
    | 'text'
    | 'code'
    | 'slug'
    | 'email'
    | 'tel'
    | 'url'
    | 'date'
    | 'datetime'
    | 'amount'
    | 'percent'
    | 'whole'
    | 'number'
    | 'time'
    | 'area'
    | 'lines'
    | 'markdown'
    | 'picture'
    | 'photo'
    | 'icon'
    | 'category'
    | 'product'
    | 'pincode'
    | 'choice'
    | 'radio'
    | 'place'
    | 'boolean'
    | 'checkbox'
    | 'categories'
    | 'weekdays'
    | 'secret'
    | 'own'
  /** If the form needs another one than history and CSV. */
  formLabel?: string
  isOptional?: boolean
  /** Shown if the value is missing or out of range. */
  problem?: FieldProblem
  min?: number
  /** Number or characters. */
  max?: number
  rows?: number
  /** Visitors read it. `withTranslations` adds a field for each language. */
  isTranslated?: boolean
  /** Of the text, if it is not English. */
  language?: Translation
  /** The name of the English field, if this is one of `translations`. */
  translates?: string
  /** Of a product: all its pack sizes have it in common. */
  isShared?: boolean
  /** Of a product: the list can show those with one of the choices. */
  isFilter?: boolean
  /** A `category` that is chosen with one tap, as long as there are few. */
  hasChips?: boolean
  isPast?: boolean
  prefix?: string
  /** Those of a `boolean` are 'true' and 'false'. */
  choices?: Choices
  /** What an empty `category` means. Without it, one must be chosen. */
  empty?: string
}

export interface ListSpec extends Labelled {
  kind: 'list'
  noun: string
  max: number
  fields: readonly InputSpec[]
  isDense?: boolean
  isUnordered?: boolean
  defaults?: Readonly<Record<string, unknown>>
}

export type FieldSpec = InputSpec | ListSpec

interface FieldGroup {
  legend: string
  hint?: string
  needs?: Needs
  fields: readonly FieldSpec[]
}

export interface SectionForm {
  title: string
  purpose: string
  page?: 'home' | 'products' | 'about' | 'contact' | PolicyName
  groups: readonly FieldGroup[]
}

export interface RecordForm<Item, Fields extends object, Spec = FieldSpec> {
  specs: readonly Spec[]
  labels: Readonly<Record<string, string>>
  format: (name: string, value: unknown, other?: unknown) => string
  toFields: (item: Item) => Fields
  toTyped: (item: Item) => Typed
  parse: (typed: Typed, before?: Fields) => Fields
  check?: (fields: Fields, typed: Typed) => FieldErrors
}

export type Typed = Readonly<Record<string, unknown>>

/** Numbers as of `Date.getDay`. */
export const WEEKDAYS = [
  ['1', text('Monday')],
  ['2', text('Tuesday')],
  ['3', text('Wednesday')],
  ['4', text('Thursday')],
  ['5', text('Friday')],
  ['6', text('Saturday')],
  ['0', text('Sunday')]
] as const

export const ICON_LABELS: Readonly<Record<FeatureIcon, string>> = texts({
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
})

const MAX_LENGTHS: Partial<Record<InputSpec['kind'], number>> = {
  text: line,
  code: line,
  slug: line,
  email: line,
  tel: line,
  url: paragraph,
  area: paragraph,
  secret: line,
  whole: line
}

type FieldOptions = Partial<Omit<InputSpec, 'kind' | 'name' | 'label'>>

/**
 * `more` is the hint, or all options. The build finds the texts of this and the functions below by
 * their place, so other modules need no `text()` for them.
 */
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

export function group(
  legend: string,
  hint: string,
  fields: readonly FieldSpec[],
  needs?: Needs
): FieldGroup {
  const all = withTranslations(fields)
  return { legend, fields: all, ...(hint && { hint }), ...(needs && { needs }) }
}

export const searchText = field('area', 'description', text('Text for Google'), {
  isTranslated: true,
  hint: text('One or two sentences that Google may show below the link.')
})

type ListOptions = Partial<Pick<ListSpec, 'hint' | 'max' | 'isDense' | 'isUnordered' | 'defaults'>>

export function listField(
  name: string,
  label: string,
  noun: string,
  options: ListOptions,
  fields: readonly InputSpec[]
): ListSpec {
  const all = withTranslations(fields)
  return { kind: 'list', name, label, noun, fields: all, max: SETTING_LIMITS.list, ...options }
}

/** Where the translation of a text is: for 'cook.role', 'cook.translations.ta.role'. */
function toTranslatedName(name: string, language: string) {
  const start = name.lastIndexOf('.') + 1
  return `${name.slice(0, start)}translations.${language}.${name.slice(start)}`
}

/** Fields such as `nameTamil` are the translation of the one before them. */
export function withTranslations<Spec extends FieldSpec>(specs: readonly Spec[]): Spec[] {
  return specs.flatMap(spec => {
    if (spec.kind === 'list' || !spec.isTranslated) return [spec]
    const { isTranslated: _t, problem: _p, hint: _h, isOptional: _o, ...shared }: InputSpec = spec
    const own = specs.find(({ name }) => name === `${spec.name}Tamil`)
    const languages = TRANSLATIONS.filter(code => !own || code !== 'ta')
    const translations = languages.map(language => ({
      ...shared,
      language,
      translates: spec.name,
      name: toTranslatedName(spec.name, language)
    }))
    return [spec, ...(translations as InputSpec[] as Spec[])]
  })
}

/** Each field with the translations of its text. */
export function groupByText<Spec extends FieldSpec>(specs: readonly Spec[]): Spec[][] {
  const groups: Spec[][] = []
  for (const spec of specs) {
    const last = groups.at(-1)
    if ('language' in spec && last?.[0] && 'isTranslated' in last[0]) last.push(spec)
    else groups.push([spec])
  }
  return groups
}

/** For example 'Description · தமிழ்'. */
export function labelOf(spec: FieldSpec): string {
  const { formLabel = spec.label, language = undefined } = spec.kind === 'list' ? {} : spec
  return language ? `${t(formLabel)} · ${LANGUAGES[language].name}` : t(formLabel)
}

export const tamil = (name: string, label: string, formLabel: string): InputSpec =>
  field('text', name, label, { max: shortText, formLabel, language: 'ta' })

export const hiddenField = (shown: string, hidden: string): InputSpec => ({
  kind: 'boolean',
  name: 'hidden',
  label: text('Hidden'),
  formLabel: text('Status'),
  choices: [
    ['false', shown],
    ['true', hidden]
  ]
})
export const timeField = (name: string, label: string, problem: FieldProblem): InputSpec =>
  field('datetime', name, label, { hint: text('Indian time (IST).'), problem })
