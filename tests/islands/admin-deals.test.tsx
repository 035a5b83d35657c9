import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { AdminDeal } from '#lib/contract/promotions.ts'
import { HOUR } from '#lib/time.ts'
import { openBrowser, openPage } from '../support/session.ts'
import { press } from '../support/page-input.ts'

afterEach(cleanup)

const at = (ms: number) => new Date(Date.now() + ms).toISOString()

test.for([
  ['running', -HOUR, HOUR, 'Laddu goes back to its normal price right away.', true],
  ['scheduled', HOUR, 2 * HOUR, 'The flash deal for Laddu will not start.', false],
  ['ended', -2 * HOUR, -HOUR, 'The price of Laddu stays the same.', false]
] as const)(
  'Deleting a %s deal says what changes',
  async ([, start, end, price, losesDiscounts]) => {
    openBrowser('/admin/discounted-products')
    const { DeleteDeal } = await import('#islands/admin/records/DealsPage.tsx')
    const deal = {
      id: 'festival',
      name: 'Laddu',
      drawn: 2,
      startTime: at(start),
      endTime: at(end)
    } as AdminDeal
    render(<DeleteDeal deal={deal} />)
    await press('Delete flash deal for Laddu')
    const text = screen.getByRole('dialog', { name: 'Delete this flash deal?' }).textContent
    expect(text).toContain(price)
    expect(text?.includes('will lose it')).toBe(losesDiscounts)
  }
)

describe('A new flash deal', () => {
  const laddu = {
    id: 'laddu',
    name: 'Laddu',
    price: 120,
    quantity: { value: 250, unit: 'g', type: 'weight' }
  }

  async function openForm(): Promise<{ discounts: unknown[] }> {
    const discounts: unknown[] = []
    await openPage({
      path: '/admin/discounted-products',
      send: async (_url, { body }) => {
        if (typeof body !== 'string') return Response.json([])
        discounts.push((JSON.parse(body) as AdminDeal).discountPercentage)
        return Response.json({ ...laddu, discountPercentage: 0 })
      }
    })
    const { NewDeal } = await import('#islands/admin/records/DealForm.tsx')
    render(<NewDeal visibleProducts={[laddu as AdminProduct]} dealToRepeat={undefined} />)
    return { discounts }
  }

  const fill = (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields))
      fireEvent.change(screen.getByLabelText(label, { selector: 'input, select' }), {
        target: { value }
      })
  }
  const FIELDS = { Product: 'laddu', Start: '2030-01-01T09:00', End: '2030-01-02T21:00' }

  test('above 40% is sent only after the lowest price was confirmed', async () => {
    const without = await openForm()
    fill({ ...FIELDS, 'Discount (%)': '40' })
    await press('Add flash deal')
    expect(without.discounts).toEqual([40])
    cleanup()
    const { discounts } = await openForm()
    fill({ ...FIELDS, 'Discount (%)': '60' })
    await press('Add flash deal')
    const question = screen.getByRole('dialog', { name: 'Up to 60% off?' })
    expect(question.textContent).toContain('Customers can get this for as little as ₹48.00. Sure?')
    await press('Change it')
    expect(discounts).toEqual([])
    fill({ 'Discount (%)': '100' })
    await press('Add flash deal')
    expect(screen.getByRole('dialog').textContent).toContain('nearly free')
    await press('Yes, save it')
    expect(discounts).toEqual([100])
  })
})
