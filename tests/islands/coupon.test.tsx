import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { QuotedCoupon } from '#lib/contract/checkout.ts'
import { PRIYA } from '../support/session.ts'
import {
  errorText,
  field,
  fillIn,
  openCheckout,
  payNow,
  press,
  type,
  waitForUpdates
} from './checkout-page.tsx'

const TERMS = { percent: 10, minimum: 0, products: ['pak'], mayBeFree: false }
const DIWALI: QuotedCoupon = {
  code: 'DIWALI10',
  discount: 36,
  terms: TERMS
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

async function openWithCoupon(
  coupon: QuotedCoupon,
  options: Parameters<typeof openCheckout>[0] = {}
) {
  const page = await openCheckout(options)
  page.shop.setCoupon(coupon)
  return page
}

async function applyCode(code: string): Promise<void> {
  const title = screen.getByText('Have a coupon code?')
  const details = title.closest('details')
  if (details && !details.open) {
    details.open = true
    fireEvent(details, new Event('toggle'))
  }
  type('Coupon code', code)
  await press('Apply')
}

const shownTotal = () => screen.getByLabelText('Cart total').textContent

describe('Coupon in the cart', () => {
  test('shows its discount as a line of its own, and can be removed', async () => {
    await openWithCoupon(DIWALI)
    await applyCode('diwali10')
    expect(screen.getByText('−₹36.00').parentElement?.textContent).toContain('Coupon DIWALI10')
    expect(screen.getAllByText('Subtotal').map(({ textContent }) => textContent)).toContain(
      'Subtotal ₹360.00'
    )
    expect(screen.getByText('With coupon').textContent).toBe('With coupon ₹324.00')
    expect(shownTotal()).toBe('₹324.00')
    expect(document.activeElement).toBe(
      screen.getByRole('button', { name: 'Remove coupon DIWALI10' })
    )
    await press('Remove coupon DIWALI10')
    expect(shownTotal()).toBe('₹360.00')
    expect(document.activeElement?.textContent).toBe('Have a coupon code?')
  })

  test('is calculated again when a quantity changes, and says why it no longer applies', async () => {
    await openWithCoupon({ ...DIWALI, terms: { ...TERMS, minimum: 300 } })
    await applyCode('DIWALI10')
    await press('Increase quantity')
    expect(shownTotal()).toBe('₹486.00')
    await press('Decrease quantity')
    await press('Decrease quantity')
    expect(shownTotal()).toBe('₹180.00')
    expect(screen.getByText('This coupon is for orders of at least ₹300.00.')).toBeTruthy()
  })

  test('shows the problem beside the field and keeps the typed code', async () => {
    await openWithCoupon({ code: 'NOPE', discount: 0, problem: 'unknown' })
    await applyCode('')
    expect(errorText('Coupon code')).toBe('Please enter your coupon code')
    await applyCode('Nope')
    expect(errorText('Coupon code')).toBe('This code is not valid, or it has ended.')
    expect(field('Coupon code').value).toBe('Nope')
    expect(document.activeElement).toBe(field('Coupon code'))
    expect(shownTotal()).toBe('₹360.00')
  })

  test('is kept on the next page, and a code that has ended meanwhile is taken away', async () => {
    const { shop: server, unmount } = await openWithCoupon(DIWALI)
    await applyCode('DIWALI10')
    unmount()
    const again = await openCheckout({ server })
    expect(shownTotal()).toBe('₹324.00')
    again.unmount()
    server.setCoupon({ code: 'DIWALI10', discount: 0, problem: 'unknown' })
    await openCheckout({ server })
    expect(screen.getByText('DIWALI10: This code is not valid, or it has ended.')).toBeTruthy()
    expect(shownTotal()).toBe('₹360.00')
    expect(localStorage.getItem('coupon')).toBeNull()
  })

  test('is sent with the payment', async () => {
    const { sentBody } = await openWithCoupon(DIWALI, { user: PRIYA })
    await applyCode('DIWALI10')
    fillIn()
    fireEvent.click(payNow())
    await waitForUpdates(20)
    expect(sentBody('POST /payments/razorpay-order')).toMatchObject({
      amount: 324,
      coupon: 'DIWALI10'
    })
  })
})
