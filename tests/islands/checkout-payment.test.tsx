import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { makeOrder } from '../support/orders.ts'
import { PRIYA, errorReply } from '../support/session.ts'
import {
  errorText,
  expectLink,
  expectShown,
  field,
  press,
  type,
  waitForUpdates
} from '../support/page-input.ts'
import { confirmBox, fillIn, openCheckout, payNow } from './checkout-page.tsx'
import { PAYMENT_RESPONSE, STARTED } from '../stores/checkout-page.ts'

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(alert => alert.textContent)
    .join(' ')
const heading = () => screen.getByRole('heading', { level: 1 }).textContent

async function confirmCode(code = '123456') {
  type('One-time code', code)
  await press(/^Confirm and pay/)
  await waitForUpdates()
}

describe('Checkout: code for a visitor', () => {
  async function openCode(options: Parameters<typeof openCheckout>[0] = {}) {
    const page = await openCheckout(options)
    fillIn()
    await press(/^Pay Now/)
    return page
  }

  test('has buttons to go back and to change the email', async () => {
    await openCode()
    await press('Back')
    expect(document.activeElement).toBe(payNow())
    await press(/^Pay Now/)
    await press('Change the email')
    expect(document.activeElement).toBe(field('Email'))
    expect(field('Street and area').value).toBe('4 Rockfort Road')
  })

  test('shows the code field again after a reload', async () => {
    const { unmount } = await openCode()
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
    const page = await openCode()
    page.shop.changeOnOtherDevice([{ product: 'halwa', quantity: 1 }])
    await confirmCode()
    expectShown(/We added items from your saved cart/)
    expect(payNow().textContent).toBe('Pay Now · ₹460.00')
    expect(page.calls).not.toContain('POST /payments/razorpay-order')
  })

  test('shows an error if the code can’t be sent', async () => {
    await openCode({
      replies: { 'POST /auth/send-otp': () => Promise.reject(new TypeError()) as never }
    })
    expect(alerts()).toContain('No connection')
    expect(alerts()).toContain('Nothing was charged; your cart and address are kept. Try again.')
    expect(alerts()).not.toContain('Razorpay')
  })

  test('shows a wrong code only at its field', async () => {
    const reply = errorReply(400, { code: 'INVALID_OTP', message: 'This code is wrong.' })
    const page = await openCode({ replies: { 'POST /auth/verify-otp': reply } })
    await confirmCode()
    expect(errorText('One-time code')).toBe('This code is wrong.')
    expect(page.toastTexts()).toEqual([])
  })
})

test('A shopper with an unverified address confirms it by a code on the same page, then pays', async () => {
  const refusal = errorReply(403, { code: 'VERIFICATION_REQUIRED', message: 'Please confirm.' })
  const answers = [refusal(), Response.json(STARTED)]
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
  await confirmCode()
  expect(page.sentBody('POST /auth/verify-otp')).toEqual({ email: PRIYA.email, otp: '123456' })
  expect(page.windows).toHaveLength(1)
  expect(localStorage.getItem('token')).toBe('new')
})

describe('Checkout: payment', () => {
  async function payAsPriya(options: Parameters<typeof openCheckout>[0] = {}) {
    const page = await openCheckout({ user: PRIYA, ...options })
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    return page
  }

  async function complete({ windows }: Awaited<ReturnType<typeof openCheckout>>) {
    act(() => windows[0]?.handler?.(PAYMENT_RESPONSE))
    await waitForUpdates()
  }

  test("shows 'Order placed successfully!' with number, delivery date and a link to My Orders", async () => {
    document.title = 'Your Cart | Palagaram'
    const page = await payAsPriya()
    expect(payNow()).toHaveProperty('disabled', true)
    expectShown('Please complete your payment with Razorpay.')
    await complete(page)
    expect(heading()).toBe('Order placed successfully!')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    expect(document.title).toBe('Order placed | Palagaram')
    expectShown('PG-7K2M9Q', 'Delivery on Monday, 23 November.')
    expect(screen.getByText('Deliver to').parentElement?.textContent).toContain('620002')
    expectLink('Invoice', '/orders/invoice?order=o-1')
    expectLink('View My Orders', '/orders')
    expect(page.cart()).toEqual([])
    // Quiet, because the heading gets the focus.
    const { $toasts } = await import('#lib/stores/toasts.ts')
    expect($toasts.get()).toMatchObject([{ title: 'Order placed successfully!', quiet: true }])
  })

  test.for([
    [true, 'We’ve sent a confirmation to', 'We email you when it is packed'],
    [false, 'Please note this number: we can’t send emails', 'You can follow it under My Orders.']
  ] as const)(
    'tells of mails only if the shop sends some (%s)',
    async ([sendsMail, text, step]) => {
      const status = { testMode: false, sendsMail, mailNotSetUp: false, notLive: false }
      const page = await payAsPriya({ replies: { 'GET /status': () => Response.json(status) } })
      await complete(page)
      const content = document.body.textContent ?? ''
      expect(content).toContain(text)
      expect(content).toContain(step)
      expect(content.includes('We email you')).toBe(sendsMail)
    }
  )

  test('offers to save a new address', async () => {
    const page = await payAsPriya({
      replies: { 'PUT /auth/profile': () => Response.json(PRIYA) }
    })
    await complete(page)
    await press('Save address')
    expect(page.sentBody('PUT /auth/profile')).toMatchObject({
      name: 'Priya Raman',
      phoneNumber: '9876543210',
      address: { street: '4 Rockfort Road', apartmentOrSuite: '3B' }
    })
    expectShown('Address saved')
  })

  const refund = { code: 'PAYMENT_REFUNDED', message: 'You get a full refund.' }
  test.for([
    [
      'could not be confirmed',
      errorReply(400),
      'Payment successful, but failed to finalize order.',
      'Please contact support.'
    ],
    [
      'is pending',
      () => Response.json(makeOrder({ status: 'checking' }), { status: 202 }),
      'We are checking your payment',
      'Please don’t pay again'
    ],
    [
      'can’t become an order',
      errorReply(409, refund),
      'Your payment is being refunded',
      refund.message
    ]
  ] as const)('that %s says so and names the phone', async ([, reply, title, text]) => {
    const page = await payAsPriya({ replies: { 'POST /orders': reply } })
    await complete(page)
    expect(heading()).toBe(title)
    expect(screen.getByRole('status').textContent).toContain(text)
    expect(screen.getByRole('link', { name: '+91 90000 12345' })).toBeTruthy()
    const back = screen.queryByRole('button', { name: 'Back to cart' })
    if (back) fireEvent.click(back)
    expect(screen.queryAllByRole('article')).toHaveLength(title.includes('refunded') ? 1 : 0)
  })
})

describe('Checkout: page of an order', () => {
  const path = '/cart?order=o-1'

  test('shows visitors a login link and returns to the order after the login', async () => {
    await openCheckout({ path })
    expectLink('Login', '/login?return=%2Fcart%3Forder%3Do-1')
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
