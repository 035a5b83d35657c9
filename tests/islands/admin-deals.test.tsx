import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { HOUR } from '#lib/time.ts'
import { openBrowser } from '../support/session.ts'
import { press } from './profile-page.tsx'

afterEach(cleanup)

const at = (ms: number): string => new Date(Date.now() + ms).toISOString()

test.for([
  ['running', -HOUR, HOUR, 'Laddu goes back to its normal price right away.', true],
  ['scheduled', HOUR, 2 * HOUR, 'The price of Laddu stays the same.', false],
  ['ended', -2 * HOUR, -HOUR, 'The price of Laddu stays the same.', false]
] as const)('Deleting a %s deal says what changes', async ([, start, end, price, losesDiscounts]) => {
  openBrowser('/admin/discounted-products')
  const { DeleteDeal } = await import('#islands/admin/deals/DealEditor.tsx')
  const deal = { id: 'festival', name: 'Laddu', drawn: 2, startTime: at(start), endTime: at(end) } as AdminDeal
  render(<DeleteDeal deal={deal} />)
  await press('Delete flash deal for Laddu')
  const text = screen.getByRole('dialog', { name: 'Delete this flash deal?' }).textContent
  expect(text).toContain(price)
  expect(text?.includes('will lose it')).toBe(losesDiscounts)
})
