import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readShop } from '#server/shop.ts'

function fileWith(text: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'palagaram-details-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'shop.json'), text)
  return pathToFileURL(join(folder, 'shop.json'))
}

test("the owner's details are those that pages show", () => {
  expect(readShop()).toMatchObject({ name: expect.any(String), email: expect.stringContaining('@') })
})

test('details that are incomplete are named in one line', () => {
  const details = { ...readShop(), email: 'nobody', phone: undefined }
  expect(() => readShop(fileWith(JSON.stringify(details)))).toThrow(
    /shop\.json is not complete: phone \(.*\), email \(.*\)$/
  )
})

test('details that are no JSON are told so in one line', () => {
  expect(() => readShop(fileWith('{ "name": '))).toThrow(/^[^\n]*shop\.json is not JSON: [^\n]*$/)
})
