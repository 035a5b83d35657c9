import { expect, test } from 'vitest'
import { decodeTable } from '#lib/stores/admin/products.ts'

test.for([
  ['UTF-8', Buffer.from('Id,பெயர்')],
  ['UTF-16', Buffer.from('\uFEFFId,பெயர்', 'utf16le')]
] as const)('a table file in %s is decoded', ([, bytes]) => {
  expect(decodeTable(new Uint8Array(bytes)).replace('\uFEFF', '')).toBe('Id,பெயர்')
})

test('a table file in Windows-1252 is decoded', () => {
  expect(decodeTable(new Uint8Array([0x43, 0x72, 0xe8, 0x6d, 0x65]))).toBe('Crème')
})
