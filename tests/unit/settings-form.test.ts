import { expect, test } from 'vitest'
import { isSectionName, SECTION_FORMS } from '#lib/admin/settings-form.ts'
import {
  changeItem,
  createItem,
  lacksTexts,
  listSpecs,
  parseTyped,
  flatten,
  toValue
} from '#lib/admin/field-values.ts'
import type { ListSpec } from '#lib/admin/fields.ts'
import { SECTION_SCHEMAS } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'

const SECTIONS = Object.keys(SECTION_FORMS).filter(isSectionName)

test.for(SECTIONS)('The form of “%s” has a field for each of its values', section => {
  const specs = listSpecs(SECTION_FORMS[section])
  const names = specs.map(({ name }) => name).filter(name => !name.includes('translations.'))
  const values = Object.keys(flatten(EMPTY_SETTINGS[section]))
  // The form of the taxes asks for the number, because its first question is about it.
  const shown = section === 'tax' ? [...values, 'gstin'] : values
  expect(names.toSorted()).toEqual(
    shown.filter(name => section !== 'legal' || name !== 'gstin').toSorted()
  )
})

test.for(SECTIONS)('New entries of the lists of “%s” have all values of an entry', section => {
  const specs = listSpecs(SECTION_FORMS[section])
  const entries = specs.flatMap(spec =>
    spec.kind === 'list' ? [[spec.name, [createTypedItem(spec)]] as const] : []
  )
  const typed = { ...flatten(EMPTY_SETTINGS[section]), ...Object.fromEntries(entries) }
  const value = toValue(parseTyped(specs, typed))
  const { error } = SECTION_SCHEMAS[section].safeParse(value)
  expect(error?.issues.filter(({ code }) => code === 'invalid_type') ?? []).toEqual([])
})

test('A text lacks a translation only if there is one in English', () => {
  const specs = listSpecs(SECTION_FORMS.home)
  const title = { title: 'Fresh', description: '', icon: 'leaf' as const }
  const home = { ...EMPTY_SETTINGS.home, features: [title] }
  const inTamil = (text: string) => [{ ...title, translations: { ta: { title: text } } }]
  expect(lacksTexts(specs, EMPTY_SETTINGS.home)).toBe(false)
  expect(lacksTexts(specs, home, 'ta')).toBe(true)
  expect(lacksTexts(specs, { ...home, features: inTamil(' ') })).toBe(true)
  expect(lacksTexts(specs, { ...home, features: inTamil('புதியது') })).toBe(false)
})

/** A new entry has no rate until the owner types one. */
function createTypedItem(spec: ListSpec): unknown {
  const rates = spec.fields.filter(({ kind }) => kind === 'percent')
  return rates.reduce((item, field) => changeItem(item, field, '5%'), createItem(spec))
}
