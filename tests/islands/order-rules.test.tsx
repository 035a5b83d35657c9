import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SectionChange } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { errorReply, openPage, PRIYA } from '../support/session.ts'
import {
  confirmBox,
  field,
  fillIn,
  openCheckout,
  payNow,
  press,
  type,
  waitForUpdates
} from './checkout-page.tsx'

const closed = { from: '2026-11-22', until: '2026-11-23', message: 'Our daughter gets married.' }
/** 21 November, 23:59 in India. */
const BEFORE_MIDNIGHT = Date.parse('2026-11-21T18:29:00Z')

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('Cart of a shop that closes for some days', () => {
  test.for([
    ['a minute before', 0, true],
    ['from midnight in India', 60_000, false],
    ['until the last midnight', 48 * 3_600_000 + 59_999, false],
    ['after that', 48 * 3_600_000 + 60_000, true]
  ] as const)('%s', async ([, ms, canPay]) => {
    vi.setSystemTime(BEFORE_MIDNIGHT + ms)
    await openCheckout({ rules: { closed } })
    expect(screen.queryByRole('button', { name: /^Pay Now/ }) !== null).toBe(canPay)
    expect(screen.queryByRole('link', { name: 'Checkout' }) !== null).toBe(canPay)
    expect(screen.queryByText('Our daughter gets married.') !== null).toBe(!canPay)
    expect(
      screen.queryByText('We take orders again from Tue 24 Nov. Your cart is kept.') !== null
    ).toBe(!canPay)
    expect(screen.getByRole('link', { name: 'Mysore Pak' })).toBeTruthy()
  })

  test('offers no delivery date on these days', async () => {
    vi.setSystemTime(BEFORE_MIDNIGHT)
    await openCheckout({ rules: { closed: { ...closed, until: '2026-11-25' } } })
    const days = [...field('Delivery date').querySelectorAll('option')].filter(
      ({ disabled }) => !disabled
    )
    expect(days.slice(0, 2).map(({ value }) => value)).toEqual(['', '2026-11-26'])
    expect(
      screen.getByText('We cook fresh. Earliest delivery: Thursday, 26 November.')
    ).toBeTruthy()
  })

  test('says so if the shop has closed since the page was opened', async () => {
    await openCheckout({
      user: PRIYA,
      replies: {
        'POST /payments/razorpay-order': errorReply(409, {
          code: 'SHOP_CLOSED',
          message: 'We are closed for a holiday.'
        })
      }
    })
    fillIn()
    fireEvent.click(payNow())
    await screen.findByText('We are closed for a holiday.')
    expect(screen.queryByText('Failed to create Razorpay order')).toBeNull()
  })
})

test('A cart below the minimum order says how much is missing and cannot be paid', async () => {
  await openCheckout({ rules: { minimumOrder: 400 } })
  fireEvent.click(confirmBox())
  // In the bar below the cart lines and above Pay Now.
  expect(screen.getAllByText('₹40.00 more to reach our minimum order of ₹400.00')).toHaveLength(2)
  expect(payNow()).toHaveProperty('disabled', true)
  fireEvent.click(screen.getByRole('button', { name: 'Increase quantity' }))
  await waitForUpdates()
  expect(screen.queryByText(/minimum order/)).toBeNull()
  expect(payNow()).toHaveProperty('disabled', false)
})

test('A shop that delivers only within its state says so beside the state, also when it refuses a payment', async () => {
  const text = 'We deliver only within Tamil Nadu.'
  const fields = { 'shippingAddress.state': text }
  await openCheckout({
    user: PRIYA,
    rules: { servedState: 'Tamil Nadu' },
    replies: {
      'POST /payments/razorpay-order': errorReply(400, {
        code: 'INVALID_INPUT',
        message: text,
        fields
      })
    }
  })
  expect(screen.getByText(text)).toBeTruthy()
  fillIn()
  fireEvent.click(payNow())
  await waitFor(() => expect(field('State').getAttribute('aria-invalid')).toBe('true'))
})

test('The dashboard closes the shop for some days, also after a failed attempt, and opens it again', async () => {
  vi.setSystemTime(BEFORE_MIDNIGHT)
  let isOnline = true
  let stored = { value: EMPTY_SETTINGS.orders, version: 3, savedAt: null, savedBy: '' }
  const saved: SectionChange<'orders'>[] = []
  await openPage({
    path: '/admin',
    token: 't',
    user: JSON.stringify({ ...PRIYA, role: 'admin' }),
    send: async (_url, { method, body }) => {
      if (!isOnline) throw new TypeError('Failed to fetch')
      if (method === 'PUT') {
        const change = JSON.parse(String(body)) as SectionChange<'orders'>
        saved.push(change)
        stored = { ...stored, value: change.value, version: change.version + 1 }
      }
      return Response.json(stored)
    }
  })
  const { Holiday } = await import('#islands/admin/overview/Holiday.tsx')
  render(<Holiday />)
  fireEvent.click(await screen.findByRole('button', { name: 'Close for a holiday' }))
  expect(field('First day closed').value).toBe('2026-11-21')
  type('Last day closed', '2026-11-20')
  await press('Save')
  expect(screen.getByText('The last day is before the first day')).toBeTruthy()
  type('First day closed', closed.from)
  type('Last day closed', closed.until)
  type('Message (optional)', closed.message)
  isOnline = false
  await press('Save')
  await screen.findByRole('alert')
  expect(field('Message (optional)').value).toBe(closed.message)
  isOnline = true
  await press('Save')
  await waitFor(() => screen.getByText('Closed from Sun 22 Nov to Mon 23 Nov.'))
  expect(document.activeElement?.textContent).toBe('Cancel holiday')
  await press('Cancel holiday')
  await screen.findByRole('button', { name: 'Close for a holiday' })
  expect(saved).toEqual([
    { value: { ...EMPTY_SETTINGS.orders, closed }, version: 3 },
    { value: EMPTY_SETTINGS.orders, version: 4 }
  ])
})
