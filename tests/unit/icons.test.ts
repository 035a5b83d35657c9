import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ICONS } from '../../src/components/icons.ts'

const sprite = readFileSync('src/components/icons.svg', 'utf8')
const stylesheet = readFileSync('src/styles/base.css', 'utf8')

test('the sprite contains the icons in the order of ICONS, 24 units apart', () => {
  const iconPaths = [...sprite.matchAll(/<path id="(\w+)"(?: transform="translate\((\d+)\)")?/g)]
  expect(iconPaths.map(([, name]) => name)).toEqual(ICONS)
  expect(iconPaths.map(([, , offset]) => Number(offset ?? 0))).toEqual(ICONS.map((_, index) => index * 24))
  expect(sprite).toContain(`viewBox="0 0 ${ICONS.length * 24} 24"`)
})

test('the stylesheet computes icon positions from the current number of icons', () => {
  expect(stylesheet).toContain(`calc(var(--index) * ${100 / (ICONS.length - 1)}%) 0 / ${ICONS.length * 100}% 100%`)
})
