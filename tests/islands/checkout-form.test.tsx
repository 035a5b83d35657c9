import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { errorReply, PRIYA } from '../support/session.ts'
import {
  errorText,
  confirmBox,
  field,
  fillIn,
  openCheckout,
  payNow,
  press,
  waitForUpdates,
  type
} from './checkout-page.tsx'

beforeEach(() => {
  document.title = 'Your Cart'
})
afterEach(cleanup)

const isDisabled = (): boolean => payNow().hasAttribute('disabled')

describe('Checkout form: Pay Now', () => {
  test('shows the amount and is disabled with a reason until the address is confirmed', async () => {
    await openCheckout()
    expect(payNow().textContent).toBe('Pay Now · ₹360.00')
    expect(confirmBox().checked).toBe(false)
    expect(isDisabled()).toBe(true)
    const reason = document.getElementById(payNow().getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toBe('Please confirm your address to pay.')
    fireEvent.click(confirmBox())
    expect(isDisabled()).toBe(false)
    expect(reason?.textContent).toBe('')
  })

  test('does not call the API while an item is not available', async () => {
    const page = await openCheckout({ user: PRIYA })
    page.shop.setQuote('pak', { stock: 'low', most: 1 })
    document.dispatchEvent(new Event('visibilitychange'))
    await waitForUpdates()
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    expect(screen.getAllByText(/Some items aren’t available/)).not.toEqual([])
    expect(page.calls).not.toContain('POST /payments/razorpay-order')
  })
})

describe('Checkout form: validation', () => {
  test('shows errors at the fields and in a focused summary', async () => {
    const page = await openCheckout()
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    const missing = ['Email', 'Full name', 'Phone number', 'Pincode', 'Street and area']
    for (const label of [...missing, 'City or town', 'State'])
      expect(errorText(label), label).toBeTruthy()
    const summary = screen.getByRole('group', { name: 'Please check 7 fields' })
    expect(document.activeElement).toBe(summary)
    expect(within(summary).getAllByRole('link')).toHaveLength(7)
    fireEvent.click(
      within(summary).getByRole('link', { name: 'Please enter a valid 6-digit pincode' })
    )
    expect(document.activeElement).toBe(field('Pincode'))
    expect(document.title).toBe('Error: Your Cart')
    expect(page.calls).not.toContain('POST /auth/send-otp')
  })

  test('focuses the only invalid field, and removes its error once it is fixed', async () => {
    await openCheckout()
    type('Phone number', '98')
    expect(errorText('Phone number')).toBeNull()
    fillIn({ 'Phone number': '98' })
    await press(/^Pay Now/)
    expect(screen.queryByRole('group', { name: /Please check/ })).toBeNull()
    expect(document.activeElement).toBe(field('Phone number'))
    expect(errorText('Phone number')).toBe('Please enter a valid 10-digit phone number')
    type('Phone number', '+91 98765-43210')
    expect(errorText('Phone number')).toBeNull()
    expect(document.title).toBe('Your Cart')
  })

  test('shows API errors at their fields', async () => {
    const fields = { deliveryDate: 'This date is too soon. Please choose a later one.' }
    const reply = errorReply(400, { code: 'INVALID_INPUT', message: 'x', fields })
    await openCheckout({ user: PRIYA, replies: { 'POST /payments/razorpay-order': reply } })
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    expect(errorText('Delivery date')).toBe(fields.deliveryDate)
    expect(document.activeElement).toBe(field('Delivery date'))
  })
})

test('The checkout fields have input modes and autocomplete tokens', async () => {
  await openCheckout()
  for (const [label, ...expected] of [
    ['Email', 'email', 'email', 'email'],
    ['Full name', null, null, 'name'],
    ['Phone number', 'tel', 'tel', 'tel'],
    ['Pincode', null, 'numeric', 'shipping postal-code'],
    ['Street and area', null, null, 'shipping address-line1'],
    ['State', null, null, 'shipping address-level1']
  ] as const)
    expect(
      ['type', 'inputmode', 'autocomplete'].map(name => field(label).getAttribute(name)),
      label
    ).toEqual(expected)
})

describe('Checkout form: draft', () => {
  test('is restored after a reload, except for the address confirmation', async () => {
    const { unmount } = await openCheckout()
    fillIn({ 'Street and area': '7 Temple Street' })
    unmount()
    await openCheckout()
    expect(field('Street and area').value).toBe('7 Temple Street')
    expect(field('State').value).toBe('Tamil Nadu')
    expect(confirmBox().checked).toBe(false)
  })

  test('is ignored if it is invalid', async () => {
    sessionStorage.setItem(
      'checkout',
      '{"customerDetails.email":7,"shippingAddress.state":"Bavaria"}'
    )
    await openCheckout()
    expect(field('Email').value).toBe('')
    expect(field('State').value).toBe('')
    sessionStorage.clear()
  })
})

describe('Checkout form: shopper with a profile', () => {
  test('shows the saved address, uses it for the order, and can change it for this order', async () => {
    const page = await openCheckout({
      user: PRIYA,
      replies: { 'POST /payments/razorpay-order': errorReply(503) }
    })
    expect(screen.getByText('4 Rockfort Road')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'Street and area' })).toBeNull()
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    expect(page.sentBody('POST /payments/razorpay-order')).toMatchObject({
      amount: 360,
      items: [{ product: 'pak', quantity: 2 }],
      customerDetails: { name: 'Priya Raman', email: 'priya@example.test', phone: '9876543210' },
      shippingAddress: {
        street: '4 Rockfort Road',
        pincode: '620002',
        state: 'Tamil Nadu',
        country: 'India'
      },
      deliveryDate: null
    })
    await press('Edit')
    expect(field('Street and area').value).toBe('4 Rockfort Road')
    type('Street and area', '7 Temple Street')
    if (!confirmBox().checked) fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    expect(page.sentBody('POST /payments/razorpay-order')).toMatchObject({
      shippingAddress: { street: '7 Temple Street' }
    })
  })

  test.for([
    ['Phone number', { phoneNumber: '' }],
    ['Full name', { name: 'Administrator' }],
    ['Full name', { name: 'priya' }]
  ] as const)('asks for the %s that nobody has typed: %o', async ([label, changes]) => {
    await openCheckout({ user: { ...PRIYA, ...changes } })
    expect(field(label).value).toBe('')
    expect(field('Street and area').value).toBe('4 Rockfort Road')
  })
})
