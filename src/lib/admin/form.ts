import type { Choices } from '../account/forms.ts'

export function pickEdits<Fields extends object>(original: Fields, typed: Fields): Partial<Fields> {
  const names = Object.keys(typed) as (keyof Fields)[]
  const edited = names.filter(name => !isSame(original[name], typed[name]))
  return Object.fromEntries(edited.map(name => [name, typed[name]])) as Partial<Fields>
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

/** What the owner chose earlier may no longer exist. The server then refuses it. */
export function withChosen(choices: Choices, chosen: string, empty?: string): Choices {
  if (empty !== undefined) return withChosen([['', empty], ...choices], chosen)
  return choices.some(([value]) => value === chosen)
    ? choices
    : [[chosen, `${chosen} (no longer exists)`], ...choices]
}

type FieldFormats = Partial<Record<string, (value: never) => string>>

export function formatValue(value: unknown, format?: (value: never) => string): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (format) return format(value as never)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** `formats` has the fields whose values need a text of their own. */
export function fieldFormatter(formats: FieldFormats): (field: string, value: unknown) => string {
  return (field, value) => formatValue(value, formats[field])
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
