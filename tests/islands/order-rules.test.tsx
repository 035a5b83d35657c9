import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SectionChange } from '#lib/contract/settings.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { answerPincode, OFFER } from '../support/delivery.ts'
import { errorReply, openPage, PRIYA } from '../support/session.ts'
import {
  errorText,
  expectNotShown,
  expectShown,
  field,
  press,
  type,
  waitForUpdates
} from '../support/page-input.ts'
import { confirmBox, fillIn, openCheckout, openWith, pay, payNow } from './checkout-page.tsx'

const CALL = 'POST /payments/razorpay-order'
const closed = { from: '2026-11-22', until: '2026-11-23', message: 'Our daughter gets married.' }
/** 21 November, 23:59 in India. */
const BEFORE_MIDNIGHT = Date.parse('2026-11-21T18:29:00Z')

beforeEach(() => void vi.setSystemTime('2026-11-22T04:00:00Z'))
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

  test('says so if the shop has closed since the page was opened', async () => {
    await openCheckout({
      user: PRIYA,
      replies: {
        [CALL]: errorReply(409, {
          code: 'SHOP_CLOSED',
          message: 'We are closed for a holiday.'
        })
      }
    })
    fillIn()
    fireEvent.click(payNow())
    await screen.findByText('We are closed for a holiday.')
    expectNotShown('Failed to create Razorpay order')
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
  expectNotShown(/minimum order/)
  expect(payNow()).toHaveProperty('disabled', false)
})

test('A shop that delivers only within its state says so beside the state, also when it refuses a payment', async () => {
  const text = 'We deliver only within Tamil Nadu.'
  const fields = { 'shippingAddress.state': text }
  await openCheckout({
    user: PRIYA,
    rules: { servedState: 'Tamil Nadu' },
    replies: {
      [CALL]: errorReply(400, {
        code: 'INVALID_INPUT',
        message: text,
        fields
      })
    }
  })
  expectShown(text)
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
    send: async (url, { method, body }) => {
      if (url.includes('/admin/orders?')) {
        const isHoliday = url.includes('status=pending&from=2026-11-22&until=2026-11-23&cooked')
        return Response.json({ orders: [], count: isHoliday ? 2 : 0, pages: 1 })
      }
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
  expectShown('The last day is before the first day')
  type('First day closed', closed.from)
  type('Last day closed', closed.until)
  const due = await screen.findByRole('link', { name: 'see them' })
  expect(due.parentElement?.textContent).toBe('2 orders are due in these days: see them')
  expect(due.getAttribute('href')).toBe('/admin/orders?status=pending&day=2026-11-22..2026-11-23')
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

describe('Checkout: fee', () => {
  test('is known once the pincode is, belongs to the total and is free above an amount', async () => {
    const page = await openWith({ delivery: OFFER }, { rules: { hasFees: true } })
    expectShown('depends on your pincode')
    await press('Enter your pincode for date and fee')
    expect(document.activeElement).toBe(field('Pincode'))
    expect(payNow().textContent).toBe('Pay Now · ₹360.00')
    type('Pincode', '620018')
    await waitForUpdates()
    expectShown('₹60.00')
    // One is in the bar at the top.
    expect(screen.getAllByText('Subtotal').map(({ textContent }) => textContent)).toEqual([
      'Subtotal ₹360.00',
      'Subtotal ₹360.00'
    ])
    expect(payNow().textContent).toBe('Pay Now · ₹420.00')
    await press('Increase quantity')
    expectShown('Free')
    expect(screen.getAllByText('Subtotal')).toHaveLength(1)
    expect(payNow().textContent).toBe('Pay Now · ₹540.00')
    await pay()
    expect(page.sentBody(CALL)).toMatchObject({ amount: 540 })
  })

  test('is shown before the payment if the shopper pays at once', async () => {
    let answer = (): void => undefined
    const answered = new Promise<void>(resolve => (answer = resolve))
    const page = await openWith(
      {},
      {
        rules: { hasFees: true },
        replies: {
          'GET /delivery': url => answered.then(() => answerPincode({ delivery: OFFER })(url))
        }
      }
    )
    await pay()
    answer()
    await waitForUpdates()
    expectShown('The total has changed. Please check it and press Pay Now again.')
    expect(page.calls).not.toContain(CALL)
    await press(/^Pay Now · ₹420/)
    expect(page.sentBody(CALL)).toMatchObject({ amount: 420 })
  })
})

describe('Checkout: pincode', () => {
  test('is remembered from other pages and fills in the address', async () => {
    localStorage.setItem('pincode', '"641001"')
    await openWith({})
    await waitForUpdates()
    expect([
      field('Pincode').value,
      field('District (optional)').value,
      field('State').value
    ]).toEqual(['641001', 'Coimbatore', 'Tamil Nadu'])
    type('Pincode', '620018')
    expect(localStorage.getItem('pincode')).toBe('"620018"')
  })

  test('suggests its towns, fills in district and state, and clears only what it has filled in', async () => {
    await openWith({ areas: ['Thillai Nagar', 'Puthur'] })
    const filled = () => [field('District (optional)').value, field('State').value]
    type('Pincode', '641 001')
    await waitForUpdates()
    expect(filled()).toEqual(['Coimbatore', 'Tamil Nadu'])
    const list = document.getElementById(field('City or town').getAttribute('list') ?? '')
    const towns = [...(list?.querySelectorAll('option') ?? [])].map(({ value }) => value)
    expect(towns).toEqual(['Coimbatore', 'Thillai Nagar', 'Puthur'])
    type('Pincode', '64100')
    expect(filled()).toEqual(['', ''])
    type('District (optional)', 'Kovai')
    type('Pincode', '560001')
    await waitForUpdates()
    expect(filled()).toEqual(['Kovai', 'Karnataka'])
  })

  test('that contradicts the state blocks the payment and says why', async () => {
    const page = await openWith({})
    await pay({ Pincode: '560001', State: 'Kerala' })
    expect(errorText('State')).toBe('560001 is in Karnataka')
    expect(page.calls).not.toContain(CALL)
    type('State', 'Karnataka')
    await press(/^Pay Now/)
    expect(page.sentBody(CALL)).toMatchObject({ shippingAddress: { state: 'Karnataka' } })
  })

  test('that can’t be looked up asks for the state instead of waiting for ever', async () => {
    let answer = (): void => undefined
    const answered = new Promise<void>(resolve => (answer = resolve))
    const page = await openWith(
      {},
      {
        replies: {
          'GET /delivery': () =>
            answered.then(errorReply(503, { code: 'UNAVAILABLE', message: 'Later.' }))
        }
      }
    )
    fillIn({ State: undefined })
    await press(/^Pay Now/)
    expect(errorText('State')).toBeNull()
    answer()
    await waitForUpdates(20)
    expect(errorText('State')).toBe('Please choose the state')
    type('State', 'Tamil Nadu')
    await press(/^Pay Now/)
    expect(page.sentBody(CALL)).toMatchObject({ shippingAddress: { state: 'Tamil Nadu' } })
  })

  const unknown = { code: 'PINCODE_UNKNOWN', message: 'No such pincode.' }
  const stateProblem = 'We deliver only within Tamil Nadu.'
  test.for([
    ['does not exist', errorReply(404, unknown), 'There is no such pincode. Please check it.'],
    ['is of another state', answerPincode({ delivery: null, stateProblem }), stateProblem],
    ['nobody delivers to', answerPincode({ delivery: null }), 'We don’t deliver to this pincode.']
  ] as const)('that %s blocks the payment', async ([, reply, text]) => {
    const page = await openWith({}, { replies: { 'GET /delivery': reply } })
    await pay({ Pincode: '560001', State: 'Karnataka' })
    expect(errorText('Pincode')).toBe(text)
    expect(page.calls).not.toContain(CALL)
  })

  test('that is not in the table must be checked once', async () => {
    const page = await openWith({ isKnown: false })
    await pay({ Pincode: '620999' })
    expect(errorText('Pincode')).toBe(
      'We don’t know this pincode. Is it right? Then press Pay Now again.'
    )
    expect(page.calls).not.toContain(CALL)
    await press(/^Pay Now/)
    expect(page.calls).toContain(CALL)
  })
})
