import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ICONS } from '../../src/components/icons.ts'

const row = readFileSync('src/components/icons.svg', 'utf8')
const sheet = readFileSync('src/styles/base.css', 'utf8')

test('each drawing stands at its place in the row', () => {
  const places = [...row.matchAll(/<path id="(\w+)"(?: transform="translate\((\d+)\)")?/g)]
  expect(places.map(([, name]) => name)).toEqual(ICONS)
  expect(places.map(([, , at]) => Number(at ?? 0))).toEqual(ICONS.map((_, place) => place * 24))
  expect(row).toContain(`viewBox="0 0 ${ICONS.length * 24} 24"`)
})

test('the sheet knows how many there are', () => {
  expect(sheet).toContain(`calc(var(--index) * ${100 / (ICONS.length - 1)}%) 0 / ${ICONS.length * 100}% 100%`)
})
