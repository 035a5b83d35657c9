import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerPincode, OFFER } from '../support/delivery.ts'
import { errorReply } from '../support/session.ts'
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

const CALL = 'POST /payments/razorpay-order'

beforeEach(() => void vi.setSystemTime('2026-11-22T04:00:00Z'))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('Checkout: fee', () => {
  test('is known once the pincode is, belongs to the total and is free above an amount', async () => {
    const page = await openWith({ delivery: OFFER }, { rules: { hasFees: true } })
    expect(screen.getByText('depends on your pincode')).toBeTruthy()
    await press('Enter your pincode for date and fee')
    expect(document.activeElement).toBe(field('Pincode'))
    expect(payNow().textContent).toBe('Pay Now · ₹360.00')
    type('Pincode', '620018')
    await waitForUpdates()
    expect(screen.getByText('₹60.00')).toBeTruthy()
    // One is in the bar at the top.
    expect(screen.getAllByText('Subtotal').map(({ textContent }) => textContent)).toEqual([
      'Subtotal ₹360.00',
      'Subtotal ₹360.00'
    ])
    expect(payNow().textContent).toBe('Pay Now · ₹420.00')
    await press('Increase quantity')
    expect(screen.getByText('Free')).toBeTruthy()
    expect(screen.getAllByText('Subtotal')).toHaveLength(1)
    expect(payNow().textContent).toBe('Pay Now · ₹540.00')
    await pay()
    expect(page.sentBody(CALL)).toMatchObject({ amount: 540 })
  })

  test('that the owner has changed meanwhile is shown before the payment', async () => {
    let usualFee = 60
    const quote = {
      lines: [],
      total: 440,
      deliveryFee: 80,
      canOrder: true,
      serverTime: '2026-11-22T04:00:00.000Z'
    }
    await openWith(
      {},
      {
        replies: {
          'GET /delivery': url => answerPincode({ delivery: { ...OFFER, usualFee } })(url),
          [CALL]: errorReply(409, { code: 'PRICE_CHANGED', message: 'Changed.', quote })
        }
      }
    )
    await pay()
    usualFee = 80
    await press(/^Pay Now · ₹420/)
    expect(screen.getByText('The total is now ₹440.00.')).toBeTruthy()
    expect(payNow().textContent).toBe('Pay Now · ₹440.00')
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
    expect(
      screen.getByText('The total has changed. Please check it and press Pay Now again.')
    ).toBeTruthy()
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
      'We don’t know 620999. Please check it. If it is right, press Pay Now again.'
    )
    expect(page.calls).not.toContain(CALL)
    await press(/^Pay Now/)
    expect(page.calls).toContain(CALL)
  })
})
