import { expect, test } from 'vitest'
import { formatPageChange, type PageChange } from '#server/publishing/release-changes.ts'

const PRODUCT: PageChange = {
  kind: 'product',
  name: 'Adhirasam',
  action: 'changed',
  fields: ['price']
}

test.for([
  [PRODUCT, 'Price of Adhirasam changed'],
  [{ ...PRODUCT, action: 'imported' }, 'Price of Adhirasam changed'],
  [{ ...PRODUCT, fields: ['price', 'name'] }, 'Adhirasam changed'],
  [{ ...PRODUCT, action: 'hidden', fields: ['hidden'] }, 'Adhirasam hidden'],
  [{ ...PRODUCT, action: 'created', fields: ['name'] }, 'Adhirasam added'],
  [{ ...PRODUCT, kind: 'stock', fields: ['stock'] }, 'Stock of Adhirasam changed'],
  [{ ...PRODUCT, kind: 'deal', action: 'deleted' }, 'Flash deal for Adhirasam deleted'],
  [
    { ...PRODUCT, kind: 'post', name: 'Murukku day', fields: ['content'] },
    'Text of Murukku day changed'
  ],
  [{ ...PRODUCT, kind: 'settings', name: 'home' }, 'Settings “Home page” changed'],
  [{ ...PRODUCT, kind: 'settings', name: 'refund' }, 'Settings “Cancellation and Refund” changed']
] as const)('%o is described as “%s”', ([change, text]) => {
  expect(formatPageChange(change)).toBe(text)
})
