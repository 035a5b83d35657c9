import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readShop } from '#server/content/shop.ts'

function writeDetails(text: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'palagaram-details-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'shop.json'), text)
  return pathToFileURL(join(folder, 'shop.json'))
}

test('reads the shop details that pages show', () => {
  expect(readShop()).toMatchObject({ name: expect.any(String), email: expect.stringContaining('@') })
})

test('incomplete shop details are reported in one line', () => {
  const details = { ...readShop(), email: 'nobody', phone: undefined }
  expect(() => readShop(writeDetails(JSON.stringify(details)))).toThrow(
    /shop\.json is invalid: phone \(.*\), email \(.*\)$/
  )
})

test('shop details that are not JSON are reported in one line', () => {
  expect(() => readShop(writeDetails('{ "name": '))).toThrow(/^[^\n]*shop\.json is not JSON: [^\n]*$/)
})
