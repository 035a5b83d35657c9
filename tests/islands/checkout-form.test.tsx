import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { OFFER, PICKUP } from '../support/delivery.ts'
import { errorReply, PRIYA } from '../support/session.ts'
import {
  errorText,
  expectShown,
  field,
  press,
  type,
  waitForUpdates
} from '../support/page-input.ts'
import { confirmBox, fillIn, openCheckout, openWith, pay, payNow } from './checkout-page.tsx'

const CALL = 'POST /payments/razorpay-order'

beforeEach(() => {
  document.title = 'Your Cart'
  vi.setSystemTime('2026-11-22T04:00:00Z')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const isDisabled = () => payNow().hasAttribute('disabled')

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
    expect(page.calls).not.toContain(CALL)
  })
})

describe('Checkout form: validation', () => {
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
})

describe('Checkout form: shopper with a profile', () => {
  test('shows the saved address, uses it for the order, and can change it for this order', async () => {
    const page = await openCheckout({
      user: PRIYA,
      replies: { [CALL]: errorReply(503) }
    })
    expectShown('4 Rockfort Road')
    expect(screen.queryByRole('textbox', { name: 'Street and area' })).toBeNull()
    fireEvent.click(confirmBox())
    await press(/^Pay Now/)
    expect(page.sentBody(CALL)).toMatchObject({
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
    expect(page.sentBody(CALL)).toMatchObject({
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
    const refusal = errorReply(409, {
      code,
      message: 'x',
      nextDay: '2026-11-30',
      fields: { deliveryDate: 'Taken.' }
    })
    const page = await openWith({ delivery: OFFER }, { replies: { [CALL]: refusal } })
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
    await press(/^Pay Now/)
    expect(page.sentBody(CALL)).toMatchObject({ deliveryDate: '2026-11-30' })
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
    expectShown('Ring at the blue door.')
    await expectAccessible('pickup')
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
    expectShown(/^Delivers to 620002/)
    expect(screen.getAllByText(/Please fix the marked items/)).not.toEqual([])
    expect(page.calls).not.toContain(CALL)
  })
})

test('A gift is sent with its message of 200 letters, and stays typed after a reload', async () => {
  const { unmount, shop: server } = await openWith({})
  const message = 'Your message (optional)'
  const gift = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /^This is a gift/ })
  const isShown = () => field(message).closest('[hidden]') === null
  expect(isShown()).toBe(false)
  fireEvent.click(gift())
  fillIn({ 'Recipient’s name (optional)': ' Lakshmi ', [message]: 'அ'.repeat(180) })
  expectShown('20 letters left')
  unmount()
  const page = await openWith({}, { server })
  expect([gift().checked, isShown(), field(message).value]).toEqual([true, true, 'அ'.repeat(180)])
  await pay({ [message]: 'கி'.repeat(201) })
  expect(errorText(message)).toBe('Your message is 1 letter too long.')
  await pay({ [message]: 'கி'.repeat(200) })
  const sent = { name: 'Lakshmi', message: 'கி'.repeat(200) }
  expect(page.sentBody(CALL)).toMatchObject({ gift: sent })
})

test('A checkout is no gift if the box is not ticked, whatever was typed before', async () => {
  const page = await openWith({})
  const gift = screen.getByRole('checkbox', { name: /^This is a gift/ })
  fireEvent.click(gift)
  type('Your message (optional)', 'கி'.repeat(300))
  fireEvent.click(gift)
  await pay()
  expect(page.sentBody(CALL)).not.toHaveProperty('gift')
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
