import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PRIYA } from '../support/session.ts'
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

  test('is hidden for an empty cart', async () => {
    await openCheckout({ lines: [] })
    expect(screen.queryByRole('button', { name: /Pay Now/ })).toBeNull()
  })

  test('shows the new total after a change of quantity', async () => {
    await openCheckout()
    await press('Increase quantity')
    expect(payNow().textContent).toBe('Pay Now · ₹540.00')
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
    expect(errorText('Email')).toBe('Please enter your email')
    expect(errorText('Full name')).toBe('Name is required.')
    expect(errorText('Phone number')).toBe('Please enter a valid 10-digit phone number')
    expect(errorText('Pincode')).toBe('Please enter a valid 6-digit pincode')
    expect(errorText('Street and area')).toBe('Please enter the street and area')
    expect(errorText('City or town')).toBe('Please enter the city')
    expect(errorText('State')).toBe('Please choose the state')
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

  test('focuses the invalid field if only one field is invalid', async () => {
    await openCheckout()
    fillIn({ Pincode: '62000' })
    await press(/^Pay Now/)
    expect(screen.queryByRole('group', { name: /Please check/ })).toBeNull()
    expect(document.activeElement).toBe(field('Pincode'))
  })

  test('shows no error while typing and removes an error once it is fixed', async () => {
    await openCheckout()
    type('Phone number', '98')
    expect(errorText('Phone number')).toBeNull()
    fillIn({ 'Phone number': '98' })
    await press(/^Pay Now/)
    expect(errorText('Phone number')).toBe('Please enter a valid 10-digit phone number')
    type('Phone number', '+91 98765-43210')
    expect(errorText('Phone number')).toBeNull()
    expect(document.title).toBe('Your Cart')
  })

  test('shows API errors at their fields', async () => {
    const fields = { deliveryDate: 'This date is too soon. Please choose a later one.' }
    const invalidInputReply = () =>
      Response.json({ code: 'INVALID_INPUT', message: 'x', fields }, { status: 400 })
    await openCheckout({
      user: PRIYA,
      replies: { 'POST /payments/razorpay-order': invalidInputReply }
    })
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    expect(errorText('Delivery date')).toBe(fields.deliveryDate)
    expect(document.activeElement).toBe(field('Delivery date'))
  })
})

describe('Checkout form: fields', () => {
  test('have input modes and autocomplete tokens', async () => {
    await openCheckout()
    const attributes = (label: string): (string | null)[] =>
      ['type', 'inputmode', 'autocomplete'].map(name => field(label).getAttribute(name))
    expect(attributes('Email')).toEqual(['email', 'email', 'email'])
    expect(attributes('Full name')).toEqual([null, null, 'name'])
    expect(attributes('Phone number')).toEqual(['tel', 'tel', 'tel'])
    expect(attributes('Pincode')).toEqual([null, 'numeric', 'shipping postal-code'])
    expect(attributes('Street and area')[2]).toBe('shipping address-line1')
    expect(attributes('State')[2]).toBe('shipping address-level1')
  })

  test('allow a delivery date from the day after tomorrow or no date', async () => {
    await openCheckout()
    const days = [...field('Delivery date').querySelectorAll('option')].map(option => option.value)
    const inIndia = new Date(Date.now() + 5.5 * 3_600_000 + 2 * 86_400_000)
      .toISOString()
      .slice(0, 10)
    expect(days.slice(0, 2)).toEqual(['', inIndia])
    expect(days).toHaveLength(30)
  })

  test('fill district and state from the pincode but keep edited values', async () => {
    await openCheckout()
    type('Pincode', '641 001')
    await vi.waitFor(() => expect(field('State').value).toBe('Tamil Nadu'))
    expect(field('District (optional)').value).toBe('Coimbatore')
    type('District (optional)', 'Kovai')
    type('Pincode', '560001')
    await vi.waitFor(() => expect(field('State').value).toBe('Karnataka'))
    expect(field('District (optional)').value).toBe('Kovai')
  })
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
  test('shows the saved address instead of the form and uses the address for the order', async () => {
    const page = await openCheckout({ user: PRIYA })
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
  })

  test('allows a different address for this order', async () => {
    const page = await openCheckout({ user: PRIYA })
    await press('Edit')
    expect(field('Street and area').value).toBe('4 Rockfort Road')
    type('Street and area', '7 Temple Street')
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    expect(page.sentBody('POST /payments/razorpay-order')).toMatchObject({
      shippingAddress: { street: '7 Temple Street' }
    })
  })

  test('shows the form if a detail is missing in the profile', async () => {
    await openCheckout({ user: { ...PRIYA, phoneNumber: '' } })
    expect(field('Street and area').value).toBe('4 Rockfort Road')
    expect(field('Phone number').value).toBe('')
  })

  test.for(['Administrator', 'priya'])(
    'asks for the name instead of %s, which nobody has typed',
    async name => {
      await openCheckout({ user: { ...PRIYA, name } })
      expect(field('Full name').value).toBe('')
      expect(field('Email').value).toBe('priya@example.test')
    }
  )
})
