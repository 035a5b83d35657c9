import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { Settings } from '#lib/contract/settings.ts'
import { expectNotShown, expectShown, press } from '../support/page-input.ts'
import { entry, openSection, type, type Saved } from './settings-section.tsx'

afterEach(cleanup)

describe('Tax form', () => {
  const rates = [{ category: '', rate: 5, hsn: '2106', from: '2025-09-22' }]

  test('sends rates as numbers and dated entries as they are typed', async () => {
    const shop = await openSection('tax', { rates })
    fireEvent.click(screen.getByLabelText('Yes, and my bills show GST'))
    await press('Add rate')
    const values = { Category: 'pickles', 'HSN code': '2001', 'Applies from': '2026-12-01' }
    for (const [label, value] of Object.entries({ ...values, 'GST rate (%)': '12.5 %' }))
      fireEvent.change(entry('rate 2 of 2').getByLabelText(label), { target: { value } })
    await press('Save settings')
    const pickles = { category: 'pickles', rate: 12.5, hsn: '2001', from: '2026-12-01' }
    expect(shop.current()).toMatchObject({ status: 'regular', rates: [...rates, pickles] })
  })

  test('shows beside the tick why other states are refused, until it is ticked', async () => {
    const text = 'Please ask an accountant first'
    const refuse = ({ value }: Saved) =>
      (value as Settings['tax']).accountantAsked ? undefined : { 'value.accountantAsked': text }
    const shop = await openSection('tax', {}, refuse, false)
    expect(screen.queryByRole('group', { name: 'Rates of categories' })).toBeNull()
    fireEvent.click(screen.getByLabelText('We deliver to other states'))
    await press('Save settings')
    expectShown(text)
    fireEvent.click(screen.getByLabelText(/^I have asked an accountant/))
    expectNotShown(text)
    await press('Save settings')
    expect(shop.current()).toMatchObject({ otherStates: true, accountantAsked: true })
  })
})

describe('Delivery forms', () => {
  const preview = () =>
    within(screen.getByRole('region', { name: 'Try it' })).getByRole('status').textContent

  test('say what the unsaved rules mean for a pincode and a time', async () => {
    const shop = await openSection('calendar', {})
    type('Ordered at', '2026-11-24T15:00')
    expect(preview()).toMatch(
      /^620018, Tue, 24 Nov, 3:00 pm → own delivery, ₹0, first day Thu 26 Nov/
    )
    expectShown('Only addresses in Tamil Nadu are served, because of your Tax settings.')
    type('Last time for orders of a day', '15:00')
    fireEvent.click(screen.getByRole('checkbox', { name: 'Friday' }))
    expect(preview()).toContain('first day Sat 28 Nov')
    type('Orders per day', '12')
    fireEvent.click(
      within(screen.getByRole('group', { name: 'Categories for large orders' })).getByLabelText(
        'Sweets'
      )
    )
    await press('Save settings')
    expect(shop.current()).toMatchObject({
      cutOff: '15:00',
      closedWeekdays: [5],
      ordersPerDay: 12,
      longCategories: ['sweets']
    })
  })

  test('begin with an example, keep small places above large ones, and ask about the rest', async () => {
    const shop = await openSection('delivery', {}, undefined, false)
    const fill = (place: string, label: string, value: string) =>
      fireEvent.change(entry(place).getByLabelText(label), { target: { value } })
    expectShown(/^We’ve filled in an example/)
    fill('place 1 of 2', 'Delivery fee', '₹ 30')
    expect(preview()).toContain('own delivery, Tiruchirappalli city, ₹30, first day')
    await press('Add place')
    fill('place 3 of 3', 'Where', 'district')
    expect(document.activeElement).toBe(entry('place 2 of 3').getByLabelText('Where'))
    fill('place 3 of 3', 'Where', 'typed')
    fill('place 1 of 3', 'Name', 'Near')
    fill('place 1 of 3', 'Pincodes', '600')
    fireEvent.click(screen.getByRole('button', { name: 'Move place 1 down' }))
    fireEvent.click(screen.getByRole('button', { name: 'Move place 2 down' }))
    fireEvent.click(screen.getByRole('radio', { name: 'By courier' }))
    await press('Save settings')
    const zones = [
      { area: 'city', pincodes: '6200', name: 'Tiruchirappalli city', method: 'own', fee: 30 },
      { area: 'district', pincodes: '620001-621012', method: 'own', fee: 0 },
      { area: 'typed', pincodes: '600', name: 'Near', method: 'courier', fee: 80 }
    ]
    const rest = { elsewhere: 'courier', elsewhereFee: 120, elsewhereDays: 5 }
    expect(shop.current()).toMatchObject({ ...rest, zones })
  })
})
