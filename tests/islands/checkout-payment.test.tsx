import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { createCartServer } from '../support/cart-server.ts'
import { makeOrder } from '../support/orders.ts'
import { PRIYA, errorReply } from '../support/session.ts'
import {
  errorText,
  confirmBox,
  field,
  fillIn,
  NEWCOMER,
  openCheckout,
  payNow,
  press,
  waitForUpdates,
  type
} from './checkout-page.tsx'
import { PAYMENT_RESPONSE, STARTED } from '../stores/checkout-page.ts'

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const CHECKING = makeOrder({ status: 'checking', paymentStatus: 'pending' })
const alerts = (): string =>
  screen
    .getAllByRole('alert')
    .map(alert => alert.textContent)
    .join(' ')
const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent

describe('Checkout: code for a visitor', () => {
  test('Pay Now asks for a code on the same page, then opens the payment window', async () => {
    const page = await openCheckout()
    fillIn()
    await press(/^Pay Now/)
    expect(page.sentBody('POST /auth/send-otp')).toEqual({ email: 'priya@example.test' })
    expect(document.activeElement).toBe(field('One-time code'))
    expect(field('Street and area').value).toBe('4 Rockfort Road')
    type('One-time code', '123 456')
    await press(/^Confirm and pay/)
    await waitForUpdates()
    expect(page.sentBody('POST /auth/verify-otp')).toEqual({
      email: 'priya@example.test',
      otp: '123456'
    })
    expect(page.windows).toHaveLength(1)
    expect(page.windows[0]).toMatchObject({
      order_id: 'order_1',
      prefill: { contact: '+919876543210' }
    })
    expect(sessionStorage.getItem('notice')).toBeNull()
  })

  test('has buttons to go back and to change the email', async () => {
    await openCheckout()
    fillIn()
    await press(/^Pay Now/)
    await press('Back')
    expect(document.activeElement).toBe(payNow())
    await press(/^Pay Now/)
    await press('Change the email')
    expect(document.activeElement).toBe(field('Email'))
    expect(field('Street and area').value).toBe('4 Rockfort Road')
  })

  test('shows the code field again after a reload', async () => {
    const { unmount } = await openCheckout()
    fillIn()
    await press(/^Pay Now/)
    unmount()
    await openCheckout()
    expect(field('One-time code')).toBeTruthy()
    // The order must be confirmed again, so the code only logs in.
    expect(field('City or town').value).toBe('Tiruchirappalli')
    type('One-time code', '123456')
    await press('Confirm email')
    await waitForUpdates()
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: /^I confirm/ }))
  })

  test('does not start the payment if merging the account cart has changed the total', async () => {
    const server = createCartServer([{ product: 'halwa', quantity: 1 }], {
      'GET /auth/me': () => Response.json(NEWCOMER),
      'POST /auth/send-otp': () =>
        Response.json({ message: 'Sent.', resendAfter: 60, expiresIn: 600 }),
      'POST /auth/verify-otp': () => Response.json({ token: 'new', user: NEWCOMER }),
      'POST /payments/razorpay-order': () => Response.json(STARTED)
    })
    const page = await openCheckout({ server })
    fillIn()
    await press(/^Pay Now/)
    type('One-time code', '123456')
    await press(/^Confirm and pay/)
    await waitForUpdates()
    expect(screen.getByText(/We added items from your saved cart/)).toBeTruthy()
    expect(payNow().textContent).toBe('Pay Now · ₹460.00')
    expect(page.calls).not.toContain('POST /payments/razorpay-order')
  })

  test('shows an error if the code can’t be sent', async () => {
    await openCheckout({
      replies: { 'POST /auth/send-otp': () => Promise.reject(new TypeError()) as never }
    })
    fillIn()
    await press(/^Pay Now/)
    expect(alerts()).toContain('No connection')
    expect(alerts()).toContain('Nothing was charged; your cart and address are kept. Try again.')
    expect(alerts()).not.toContain('Razorpay')
  })

  test('shows a wrong code only at its field', async () => {
    const body = { code: 'INVALID_OTP', message: 'This code is wrong.' }
    const page = await openCheckout({
      replies: { 'POST /auth/verify-otp': () => Response.json(body, { status: 400 }) }
    })
    fillIn()
    await press(/^Pay Now/)
    type('One-time code', '123456')
    await press(/^Confirm and pay/)
    expect(errorText('One-time code')).toBe('This code is wrong.')
    expect(page.toastTexts()).toEqual([])
  })
})

describe('Checkout: code for a shopper with an unverified address', () => {
  const refusal = {
    code: 'VERIFICATION_REQUIRED',
    message: 'Please confirm your email address with a code to order.'
  }

  test('asks for the code of the account’s address on the same page, then opens the payment window', async () => {
    const answers = [Response.json(refusal, { status: 403 }), Response.json(STARTED)]
    const page = await openCheckout({
      user: PRIYA,
      replies: {
        'POST /payments/razorpay-order': () => answers.shift() ?? Response.error(),
        'POST /auth/verify-otp': () => Response.json({ token: 'new', user: PRIYA })
      }
    })
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    await waitForUpdates()
    expect(page.sentBody('POST /auth/send-otp')).toEqual({ email: PRIYA.email })
    expect(document.activeElement).toBe(field('One-time code'))
    expect(screen.queryByRole('button', { name: 'Change the email' })).toBeNull()
    expect(page.toastTexts()).toEqual([])
    type('One-time code', '123456')
    await press(/^Confirm and pay/)
    await waitForUpdates()
    expect(page.sentBody('POST /auth/verify-otp')).toEqual({ email: PRIYA.email, otp: '123456' })
    expect(page.windows).toHaveLength(1)
    expect(localStorage.getItem('token')).toBe('new')
  })
})

describe('Checkout: payment', () => {
  async function payAsPriya(options: Parameters<typeof openCheckout>[0] = {}) {
    const page = await openCheckout({ user: PRIYA, ...options })
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    return page
  }

  test("shows 'Order placed successfully!' with number, delivery date and a link to My Orders", async () => {
    document.title = 'Your Cart | Palagaram'
    const page = await payAsPriya()
    expect(payNow()).toHaveProperty('disabled', true)
    expect(screen.getByText('Please complete your payment with Razorpay.')).toBeTruthy()
    act(() => page.windows[0]?.handler?.(PAYMENT_RESPONSE))
    await waitForUpdates()
    expect(heading()).toBe('Order placed successfully!')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    expect(document.title).toBe('Order placed | Palagaram')
    expect(screen.getByText('PG-7K2M9Q')).toBeTruthy()
    expect(screen.getByText('Delivery on Monday, 23 November.')).toBeTruthy()
    expect(screen.getByText('Deliver to').parentElement?.textContent).toContain('620002')
    expect(screen.getByRole('link', { name: 'Invoice' }).getAttribute('href')).toBe(
      '/orders/invoice?order=o-1'
    )
    expect(screen.getByRole('link', { name: 'View My Orders' }).getAttribute('href')).toBe(
      '/orders'
    )
    expect(page.cart()).toEqual([])
  })

  test.for([
    [true, 'We’ve sent a confirmation to', 'We email you when it is packed'],
    [false, 'Please note this number: we can’t send emails', 'You can follow it under My Orders.']
  ] as const)(
    'tells of mails only if the shop sends some (%s)',
    async ([sendsMail, text, step]) => {
      const status = { testMode: false, sendsMail, mailNotSetUp: false, notLive: false }
      const page = await payAsPriya({ replies: { 'GET /status': () => Response.json(status) } })
      act(() => page.windows[0]?.handler?.(PAYMENT_RESPONSE))
      await waitForUpdates()
      const content = document.body.textContent ?? ''
      expect(content).toContain(text)
      expect(content).toContain(step)
      expect(content.includes('confirmation to')).toBe(sendsMail)
      expect(content.includes('We email you')).toBe(sendsMail)
    }
  )

  test('shows the success toast without announcing it, because the heading gets the focus', async () => {
    const page = await payAsPriya()
    act(() => page.windows[0]?.handler?.(PAYMENT_RESPONSE))
    await waitForUpdates()
    expect(page.toastTexts()).toEqual([['Order placed successfully!', undefined]])
    const { $toasts } = await import('#lib/stores/toasts.ts')
    expect($toasts.get()).toMatchObject([{ quiet: true }])
  })

  test('offers to save a new address', async () => {
    const profileReply = () => Response.json(PRIYA)
    const page = await payAsPriya({ replies: { 'PUT /auth/profile': profileReply } })
    act(() => page.windows[0]?.handler?.(PAYMENT_RESPONSE))
    await waitForUpdates()
    await press('Save address')
    expect(page.sentBody('PUT /auth/profile')).toMatchObject({
      name: 'Priya Raman',
      phoneNumber: '9876543210',
      address: { street: '4 Rockfort Road', apartmentOrSuite: '3B' }
    })
    expect(screen.getByText('Address saved')).toBeTruthy()
  })

  test("shows 'Payment was cancelled.' after closing the window and keeps the form", async () => {
    const page = await payAsPriya({
      replies: {
        'POST /payments/o-1/sync': () => Response.json({ state: 'unpaid', order: CHECKING })
      }
    })
    act(() => page.windows[0]?.modal.ondismiss())
    await waitForUpdates()
    // The button was disabled during the payment and so lost the focus.
    expect(document.activeElement).toBe(
      screen.getByText('Payment was cancelled.').closest('[role=status]')
    )
    expect(page.cart()).toHaveLength(1)
    expect(confirmBox().checked).toBe(true)
    expect(payNow()).toHaveProperty('disabled', false)
  })

  test("shows 'Failed to create Razorpay order' with the API’s reason", async () => {
    await payAsPriya({
      replies: { 'POST /payments/razorpay-order': errorReply(500, { message: 'Later.' }) }
    })
    expect(alerts()).toContain('Failed to create Razorpay order')
    expect(alerts()).toContain('Later.')
  })

  test("shows 'Payment successful, but failed to finalize order.' if the payment can’t be confirmed", async () => {
    const page = await payAsPriya({ replies: { 'POST /orders': errorReply(400) } })
    act(() => page.windows[0]?.handler?.(PAYMENT_RESPONSE))
    await waitForUpdates()
    expect(heading()).toBe('Payment successful, but failed to finalize order.')
    expect(screen.getByRole('status').textContent).toContain('Please contact support.')
    expect(screen.getByRole('status').textContent).toContain('will appear here and under My Orders')
    expect(screen.getByRole('link', { name: SHOP_PHONE })).toBeTruthy()
  })

  test('asks the shopper not to pay again while the payment is pending', async () => {
    const page = await payAsPriya({
      replies: { 'POST /orders': () => Response.json(CHECKING, { status: 202 }) }
    })
    act(() => page.windows[0]?.handler?.(PAYMENT_RESPONSE))
    await waitForUpdates()
    expect(heading()).toBe('We are checking your payment')
    expect(screen.getByRole('status').textContent).toContain('Please don’t pay again')
  })

  test('shows the refund if the payment can’t become an order', async () => {
    const refundedReply = errorReply(409, {
      code: 'PAYMENT_REFUNDED',
      message: 'Your payment will be refunded in full.'
    })
    const page = await payAsPriya({ replies: { 'POST /orders': refundedReply } })
    act(() => page.windows[0]?.handler?.(PAYMENT_RESPONSE))
    await waitForUpdates()
    expect(heading()).toBe('Your payment is being refunded')
    await press('Back to cart')
    expect(within(screen.getByRole('article')).getByRole('link').textContent).toBe('Mysore Pak')
  })
})

const SHOP_PHONE = '+91 90000 12345'

describe('Checkout: page of an order', () => {
  const path = '/cart?order=o-1'

  test('shows the order after a reload', async () => {
    const syncReply = () => Response.json({ state: 'paid', order: makeOrder() })
    await openCheckout({ path, user: PRIYA, replies: { 'POST /payments/o-1/sync': syncReply } })
    expect(heading()).toBe('Order placed successfully!')
  })

  test('shows visitors a login link and returns to the order after the login', async () => {
    await openCheckout({ path })
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe(
      '/login?return=%2Fcart%3Forder%3Do-1'
    )
  })

  test('shows an error and a retry button if the network is down', async () => {
    let isDown = true
    const syncReply = () =>
      isDown
        ? (Promise.reject(new TypeError()) as never)
        : Response.json({ state: 'paid', order: makeOrder() })
    await openCheckout({ path, user: PRIYA, replies: { 'POST /payments/o-1/sync': syncReply } })
    expect(screen.getByRole('status').textContent).toContain('We cannot reach the shop')
    isDown = false
    await press('Try again')
    expect(heading()).toBe('Order placed successfully!')
  })
})
