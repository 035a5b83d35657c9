import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { OFFER, PICKUP } from '../support/delivery.ts'
import {
  errorText,
  field,
  fillIn,
  openWith,
  pay,
  payNow,
  press,
  type,
  waitForUpdates
} from './checkout-page.tsx'
import { STARTED } from '../stores/checkout-page.ts'

const CALL = 'POST /payments/razorpay-order'

beforeEach(() => void vi.setSystemTime('2026-11-22T04:00:00Z'))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('Checkout: delivery date', () => {
  test('offers the days by month and says which are full or closed', async () => {
    await openWith({ delivery: OFFER })
    type('Pincode', '620018')
    await waitForUpdates()
    const groups = [...field('Delivery date').querySelectorAll('optgroup')]
    expect(
      groups.map(({ label, children }) => [
        label,
        ...Array.from(children, ({ textContent }) => textContent)
      ])
    ).toEqual([
      [
        'November 2026',
        'Tuesday, 24 November',
        'Wednesday, 25 November',
        'Thursday, 26 November · full',
        'Sunday, 29 November · closed',
        'Monday, 30 November · few places left'
      ],
      ['December 2026', 'Tuesday, 1 December']
    ])
    const disabled = [...field('Delivery date').querySelectorAll('option')].filter(
      option => option.disabled
    )
    expect(disabled.map(({ value }) => value)).toEqual(['2026-11-26', '2026-11-29'])
  })

  test.for([
    ['DAY_FULL', 'full'],
    ['DAY_CLOSED', 'no longer open']
  ])('that is taken meanwhile (%s) becomes the next open one', async ([code, reason]) => {
    let isTaken = true
    const page = await openWith(
      { delivery: OFFER },
      {
        replies: {
          [CALL]: () =>
            isTaken
              ? Response.json(
                  { code, nextDay: '2026-11-30', fields: { deliveryDate: 'Taken.' } },
                  { status: 409 }
                )
              : Response.json(STARTED)
        }
      }
    )
    fillIn({ Pincode: '620018' })
    await waitForUpdates()
    type('Delivery date', '2026-11-25')
    await press(/^Pay Now/)
    await waitForUpdates()
    const text = `Wednesday, 25 November is ${reason}. We chose Monday, 30 November: please check it and press Pay Now again.`
    expect(errorText('Delivery date')).toBe(text)
    expect(document.activeElement).toBe(field('Delivery date'))
    expect(field('Delivery date').value).toBe('2026-11-30')
    expect(field('Street and area').value).toBe('4 Rockfort Road')
    expect(page.cart()).toHaveLength(1)
    const first = page.sentBody(CALL)
    isTaken = false
    await press(/^Pay Now/)
    expect(page.sentBody(CALL)).toMatchObject({ deliveryDate: '2026-11-30' })
    expect(page.sentBody(CALL)).not.toHaveProperty(
      'checkoutKey',
      (first as { checkoutKey: string }).checkoutKey
    )
    expect(page.windows).toHaveLength(1)
  })
})

describe('Checkout: pickup', () => {
  const rules = { hasPickup: true, hasFees: true, pickupPlace: [] }
  const reply = { delivery: OFFER, pickup: PICKUP, pickupText: 'Ring at the blue door.' }

  test('needs only name, phone and email, and costs no fee', async () => {
    const page = await openWith(reply, { rules })
    type('Pincode', '620018')
    await waitForUpdates()
    fireEvent.click(screen.getByRole('radio', { name: /^Pickup/ }))
    await waitForUpdates()
    expect(screen.getByText('Ring at the blue door.')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Street and area' })).toBeNull()
    expect(payNow().textContent).toBe('Pay Now · ₹360.00')
    type('Full name', 'Priya Raman')
    type('Phone number', '98765 43210')
    fireEvent.click(
      screen.getByRole('checkbox', {
        name: 'I confirm that I will pick up my order at this address.'
      })
    )
    type('Pickup date', '2026-11-25')
    await press(/^Pay Now/)
    expect(page.sentBody(CALL)).toMatchObject({
      pickup: true,
      amount: 360,
      deliveryDate: '2026-11-25',
      shippingAddress: {
        street: '12, Kolam Street, Thillai Nagar',
        state: 'Tamil Nadu',
        pincode: '620018'
      }
    })
  })

  test('keeps the typed address for a change of mind', async () => {
    await openWith(reply, { rules })
    fillIn()
    const choose = (name: RegExp) => fireEvent.click(screen.getByRole('radio', { name }))
    choose(/^Pickup/)
    choose(/^Delivery/)
    expect(field('Street and area').value).toBe('4 Rockfort Road')
  })

  test('is not offered by other shops, also not to those who chose it before, like note and event', async () => {
    localStorage.setItem('pickup', 'true')
    await openWith({ delivery: OFFER })
    expect(screen.queryByRole('radio')).toBeNull()
    expect(field('Street and area')).toBeTruthy()
    expect(screen.queryByLabelText(/Note for the kitchen|your event/)).toBeNull()
  })
})

describe('Checkout: items', () => {
  const note = { product: 'pak', text: 'Best within 3 days, but the courier takes up to 4 days.' }

  test('that can’t go there are marked and block the payment', async () => {
    const page = await openWith({ delivery: { ...OFFER, problems: [note] } })
    await pay()
    const line = screen.getByRole('link', { name: 'Mysore Pak' }).closest('li') as HTMLElement
    expect(within(line).getByText(note.text)).toBeTruthy()
    expect(screen.getByText(/^Delivers to 620002/)).toBeTruthy()
    expect(screen.getAllByText(/Please fix the marked items/)).not.toEqual([])
    expect(page.calls).not.toContain(CALL)
  })
})

test('Note and event are sent with the order, and the event must be after the delivery', async () => {
  const rules = {
    eventProducts: ['pak'],
    calendar: { ...EMPTY_SETTINGS.calendar, orderNote: true }
  }
  const page = await openWith({ delivery: OFFER }, { rules })
  fillIn()
  type('Note for the kitchen (optional)', ' Less sugar, please ')
  type('Date and time of your event (optional)', '2026-11-23T18:30')
  await waitForUpdates(20)
  await press(/^Pay Now/)
  expect(errorText('Date and time of your event (optional)')).toMatch(
    'Your event is before the delivery.'
  )
  type('Date and time of your event (optional)', '2026-11-28T18:30')
  await press(/^Pay Now/)
  expect(page.sentBody(CALL)).toMatchObject({
    note: 'Less sugar, please',
    eventAt: '2026-11-28T18:30'
  })
})
