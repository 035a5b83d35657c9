import { expect, test } from 'vitest'
import { isSectionName, SECTION_FORMS } from '#lib/admin/settings-form.ts'
import {
  changeItem,
  createItem,
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
  const names = listSpecs(SECTION_FORMS[section]).map(({ name }) => name)
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

/** A new entry has no rate until the owner types one. */
function createTypedItem(spec: ListSpec): unknown {
  const rates = spec.fields.filter(({ kind }) => kind === 'percent')
  return rates.reduce((item, field) => changeItem(item, field, '5%'), createItem(spec))
}
