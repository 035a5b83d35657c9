import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ICONS } from '#lib/art/icons.ts'

test('the sprite contains exactly the icons that pages can name', () => {
  const sprite = readFileSync('src/lib/art/icons.svg', 'utf8')
  expect(
    [...sprite.matchAll(/<symbol id="(\w+)" viewBox="0 0 24 24">/g)].map(([, name]) => name)
  ).toEqual(ICONS)
})
