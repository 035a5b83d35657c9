// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { cartServer } from '../support/cart-server.ts'
import { anOrder } from '../support/orders.ts'
import { PRIYA, refusal } from '../support/session.ts'
import {
  box,
  field,
  fillIn,
  NEWCOMER,
  openCheckout,
  payNow,
  press,
  PROOF,
  settle,
  STARTED,
  type
} from './checkout-page.tsx'

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const CHECKING = anOrder({ status: 'checking', paymentStatus: 'pending' })
const alerts = (): string =>
  screen
    .getAllByRole('alert')
    .map(alert => alert.textContent)
    .join(' ')
const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent

describe('a visitor who presses Pay Now', () => {
  test('is asked for a code in place, and then Pay Now goes on', async () => {
    const page = await openCheckout()
    fillIn()
    await press(/^Pay Now/)
    expect(page.sent('POST /auth/send-otp')).toEqual({ email: 'priya@example.test' })
    expect(document.activeElement).toBe(field('One-time code'))
    expect(field('Street and area').value).toBe('4 Rockfort Road')
    type('One-time code', '123 456')
    await press('Verify & Pay')
    await settle()
    expect(page.sent('POST /auth/verify-otp')).toEqual({ email: 'priya@example.test', otp: '123456' })
    expect(page.windows).toHaveLength(1)
    expect(page.windows[0]).toMatchObject({ order_id: 'order_1', prefill: { contact: '+919876543210' } })
    expect(sessionStorage.getItem('notice')).toBeNull()
  })

  test('may go back, or change the address', async () => {
    await openCheckout()
    fillIn()
    await press(/^Pay Now/)
    await press('Back to Pay Now')
    expect(document.activeElement).toBe(payNow())
    await press(/^Pay Now/)
    await press('Change the email')
    expect(document.activeElement).toBe(field('Email'))
    expect(field('Street and area').value).toBe('4 Rockfort Road')
  })

  test('finds the question again in a tab that the phone had dropped', async () => {
    const { unmount } = await openCheckout()
    fillIn()
    await press(/^Pay Now/)
    unmount()
    await openCheckout()
    expect(field('One-time code')).toBeTruthy()
    expect(field('City or town').value).toBe('Tiruchirappalli')
  })

  test('does not pay a total that they have not seen: the account had a cart of its own', async () => {
    const server = cartServer([{ product: 'halwa', quantity: 1 }], {
      'GET /auth/me': () => Response.json(NEWCOMER),
      'POST /auth/send-otp': () => Response.json({ message: 'Sent.', resendAfter: 60, expiresIn: 600 }),
      'POST /auth/verify-otp': () => Response.json({ token: 'new', user: NEWCOMER }),
      'POST /payments/razorpay-order': () => Response.json(STARTED)
    })
    const page = await openCheckout({ server })
    fillIn()
    await press(/^Pay Now/)
    type('One-time code', '123456')
    await press('Verify & Pay')
    await settle()
    expect(screen.getByText(/also holds what you had put in before/)).toBeTruthy()
    expect(payNow().textContent).toBe('Pay Now · ₹460.00')
    expect(page.calls).not.toContain('POST /payments/razorpay-order')
  })

  test('who has no network hears that the code could not be sent', async () => {
    await openCheckout({ others: { 'POST /auth/send-otp': () => Promise.reject(new TypeError()) as never } })
    fillIn()
    await press(/^Pay Now/)
    expect(alerts()).toContain('We cannot reach the shop')
  })
})

describe('the payment', () => {
  async function payAs(others: Parameters<typeof openCheckout>[0] = {}) {
    const page = await openCheckout({ user: PRIYA, ...others })
    fireEvent.click(box())
    await press(/^Pay Now/)
    return page
  }

  test("that goes well says 'Order placed successfully!' with number, what happens next, and the way to My Orders", async () => {
    const page = await payAs()
    expect(payNow()).toHaveProperty('disabled', true)
    expect(screen.getByText('Please finish the payment in the window that has opened.')).toBeTruthy()
    act(() => page.windows[0]?.handler?.(PROOF))
    await settle()
    expect(heading()).toBe('Order placed successfully!')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    expect(screen.getByText('PG-7K2M9Q')).toBeTruthy()
    expect(screen.getByText('It is due on Monday, 23 November.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'View My Orders' }).getAttribute('href')).toBe('/orders')
    expect(page.cart()).toEqual([])
  })

  test('offers to keep an address that the profile does not have', async () => {
    const saved = () => Response.json(PRIYA)
    const page = await payAs({ others: { 'PUT /auth/profile': saved } })
    act(() => page.windows[0]?.handler?.(PROOF))
    await settle()
    await press('Save the address')
    expect(page.sent('PUT /auth/profile')).toMatchObject({
      name: 'Priya Raman',
      phoneNumber: '9876543210',
      address: { street: '4 Rockfort Road', apartmentOrSuite: '3B' }
    })
    expect(screen.getByText('Your address is saved.')).toBeTruthy()
  })

  test("that was closed says 'Payment was cancelled.' and keeps everything", async () => {
    const page = await payAs({
      others: { 'POST /payments/o-1/sync': () => Response.json({ state: 'unpaid', order: CHECKING }) }
    })
    act(() => page.windows[0]?.modal.ondismiss())
    await settle()
    expect(screen.getByText('Payment was cancelled.').closest('[role=status]')).toBeTruthy()
    expect(page.cart()).toHaveLength(1)
    expect(box().checked).toBe(true)
    expect(payNow()).toHaveProperty('disabled', false)
  })

  test("that can't begin says 'Failed to create Razorpay order' with the shop's words", async () => {
    await payAs({
      others: { 'POST /payments/razorpay-order': refusal(503, { code: 'UNAVAILABLE', message: 'Later.' }) }
    })
    expect(alerts()).toContain('Failed to create Razorpay order')
    expect(alerts()).toContain('Later.')
  })

  test("that the shop does not hear of says 'Payment successful, but failed to finalize order.' and that the order will appear", async () => {
    const page = await payAs({ others: { 'POST /orders': refusal(400) } })
    act(() => page.windows[0]?.handler?.(PROOF))
    await settle()
    expect(heading()).toBe('Payment successful, but failed to finalize order.')
    expect(screen.getByRole('status').textContent).toContain('Please contact support.')
    expect(screen.getByRole('status').textContent).toContain('will appear here and under My Orders by itself')
    expect(screen.getByRole('link', { name: SHOP_PHONE })).toBeTruthy()
  })

  test('that the bank has not confirmed says not to pay again', async () => {
    const page = await payAs({ others: { 'POST /orders': () => Response.json(CHECKING, { status: 202 }) } })
    act(() => page.windows[0]?.handler?.(PROOF))
    await settle()
    expect(heading()).toBe('We are checking your payment')
    expect(screen.getByRole('status').textContent).toContain('Please do not pay again')
  })

  test('that can’t become an order says that the money comes back', async () => {
    const refused = refusal(409, {
      code: 'PAYMENT_REFUNDED',
      message: 'Your payment is on its way back to you in full.'
    })
    const page = await payAs({ others: { 'POST /orders': refused } })
    act(() => page.windows[0]?.handler?.(PROOF))
    await settle()
    expect(heading()).toBe('Your payment comes back')
    await press('Back to the cart')
    expect(within(screen.getByRole('article')).getByRole('link').textContent).toBe('Mysore Pak')
  })
})

const SHOP_PHONE = '+91 90000 12345'

describe('the page of an order', () => {
  const at = '/cart?order=o-1'

  test('shows it again after a reload or from a bookmark', async () => {
    const sync = () => Response.json({ state: 'paid', order: anOrder() })
    await openCheckout({ at, user: PRIYA, others: { 'POST /payments/o-1/sync': sync } })
    expect(heading()).toBe('Order placed successfully!')
  })

  test('asks a visitor to log in, and comes back', async () => {
    await openCheckout({ at })
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login?return=%2Fcart%3Forder%3Do-1')
  })

  test('without network can be asked for again', async () => {
    let down = true
    const sync = () =>
      down ? (Promise.reject(new TypeError()) as never) : Response.json({ state: 'paid', order: anOrder() })
    await openCheckout({ at, user: PRIYA, others: { 'POST /payments/o-1/sync': sync } })
    expect(screen.getByRole('status').textContent).toContain('We cannot reach the shop')
    down = false
    await press('Try again')
    expect(heading()).toBe('Order placed successfully!')
  })
})
