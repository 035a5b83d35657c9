import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { DeliveryReply } from '#lib/contract/delivery.ts'
import type { QuotedCoupon } from '#lib/contract/checkout.ts'
import { makeCard, makeLine } from '../support/cards.ts'
import { answerPincode, OFFER, PICKUP } from '../support/delivery.ts'
import { PRIYA } from '../support/session.ts'
import {
  errorText,
  expectLink,
  expectNotShown,
  expectShown,
  field,
  press,
  type,
  waitForUpdates
} from '../support/page-input.ts'
import { openCheckout, PAK, pay } from './checkout-page.tsx'

const LADDU = makeLine('laddu', 1, { name: 'Boondi Laddu', price: 99.5 })
const DEAL = makeLine('halwa', 1, { name: 'Halwa', price: 256, discount: 20 })

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

function shownNames() {
  return screen
    .queryAllByRole('article')
    .map(article => within(article).getByRole('link').textContent)
}

function findRow(name: string) {
  const article = screen
    .getAllByRole('article')
    .find(found => within(found).queryByRole('link', { name }))
  if (!article) throw new Error(`The cart has no ${name}`)
  return { ...within(article), text: () => article.textContent }
}

function shownTotal() {
  return screen.getByLabelText('Cart total').textContent
}

describe('Cart page', () => {
  test('shows pack, price and total of each line, and the cart total with a link to the form', async () => {
    await openCheckout({ lines: [PAK, LADDU], quotes: { laddu: { listPrice: 99.5 } } })
    expect(shownNames()).toEqual(['Mysore Pak', 'Boondi Laddu'])
    expect(findRow('Mysore Pak').text()).toContain('₹360.00')
    expect(findRow('Mysore Pak').text()).toContain('₹180.00 · 250 g')
    expect(findRow('Mysore Pak').getByRole('link').getAttribute('href')).toBe('/products/pak')
    expect(shownTotal()).toBe('₹459.50')
    expect(screen.getByText('Subtotal').textContent).toBe('Subtotal ₹459.50')
    const target = screen.getByRole('link', { name: 'Checkout' }).getAttribute('href')
    expect(document.querySelector(target ?? '')).toBe(
      screen.getByRole('form', { name: 'Checkout' })
    )
  })

  test('shows the list price beside a drawn price', async () => {
    await openCheckout({ lines: [DEAL], quotes: { halwa: { listPrice: 320 } } })
    expect(findRow('Halwa').text()).toContain('₹256.00 instead of ₹320.00 · 250 g')
    expect(findRow('Halwa').getByText('₹320.00').tagName).toBe('S')
    expect(shownTotal()).toBe('₹256.00')
  })

  test("shows 'Your cart is empty' with a link to the products and nothing to pay", async () => {
    await openCheckout({ lines: [] })
    expectShown('Your cart is empty')
    expectLink('Continue Shopping', '/products')
    expect(screen.queryByRole('button', { name: /Pay Now/ })).toBeNull()
  })

  test('changes quantities at once, not below 1, and the button keeps the focus', async () => {
    await openCheckout()
    await press('Increase quantity')
    expect(shownTotal()).toBe('₹540.00')
    const button = screen.getByRole('button', { name: 'Decrease quantity' })
    button.focus()
    for (let count = 3; count > 0; count--) fireEvent.click(button)
    expect(findRow('Mysore Pak').getByRole('status').textContent).toBe('1')
    expect([button.getAttribute('aria-disabled'), document.activeElement]).toEqual(['true', button])
    expect(shownTotal()).toBe('₹180.00')
  })

  test('asks for confirmation before it is cleared', async () => {
    const page = await openCheckout({ lines: [PAK, LADDU] })
    await press('Clear cart')
    expect(screen.getByRole('dialog', { name: 'Clear cart?' })).toBeTruthy()
    await press('Keep items')
    expect(shownNames()).toHaveLength(2)
    await press('Clear cart')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clear cart' }))
    expectShown('Your cart is empty')
    expect(page.toastTexts().map(([title]) => title)).toEqual(['Cart cleared'])
    expect(localStorage.getItem('cart')).toBeNull()
  })
})

describe('Removing a line from the cart page', () => {
  test('moves the focus to Undo, and Undo restores the line at its old position', async () => {
    const page = await openCheckout({ lines: [PAK, LADDU] })
    await press('Remove Mysore Pak')
    expect(shownNames()).toEqual(['Boondi Laddu'])
    expect(page.toastTexts().map(([title]) => title)).toEqual(['Item removed'])
    const undo = screen.getByRole('button', { name: 'Undo: put Mysore Pak back' })
    expect(document.activeElement).toBe(undo)
    fireEvent.click(undo)
    expect(shownNames()).toEqual(['Mysore Pak', 'Boondi Laddu'])
    expect(screen.queryByRole('button', { name: /Undo/ })).toBeNull()
  })

  test('can be undone even if the cart is now empty', async () => {
    await openCheckout()
    await press('Remove Mysore Pak')
    expectShown('Your cart is empty')
    await press('Undo: put Mysore Pak back')
    expect(shownTotal()).toBe('₹360.00')
  })
})

test('Changes since the last visit are shown and used for the total, and the quantity can be reduced to the stock', async () => {
  const quotes = {
    pak: { listPrice: 190, stock: 'low', most: 1 },
    laddu: { stock: 'out', most: 0, problem: 'out_of_stock', listPrice: 99.5 },
    halwa: { problem: 'gone', most: 0 }
  } as const
  await openCheckout({ lines: [PAK, LADDU, makeLine('halwa')], quotes })
  expect(findRow('Mysore Pak').getByText('Price is now ₹190.00')).toBeTruthy()
  expect(findRow('Mysore Pak').getByText('Only 1 left')).toBeTruthy()
  expect(findRow('Boondi Laddu').getByText('Out of stock')).toBeTruthy()
  expect(findRow('halwa').getByText('No longer sold')).toBeTruthy()
  expect(shownTotal()).toBe('₹479.50')
  await press('Change to 1')
  expect(shownTotal()).toBe('₹289.50')
  expectNotShown('Only 1 left')
})

const TERMS = { percent: 10, minimum: 0, products: ['pak'], mayBeFree: false }
const DIWALI: QuotedCoupon = {
  code: 'DIWALI10',
  discount: 36,
  terms: TERMS
}

async function openWithCoupon(
  coupon: QuotedCoupon,
  options: Parameters<typeof openCheckout>[0] = {}
) {
  const page = await openCheckout(options)
  page.shop.setCoupon(coupon)
  return page
}

async function applyCode(code: string) {
  const title = screen.getByText('Have a coupon code?')
  const details = title.closest('details')
  if (details && !details.open) {
    details.open = true
    fireEvent(details, new Event('toggle'))
  }
  type('Coupon code', code)
  await press('Apply')
}

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
    expectShown('This coupon is for orders of at least ₹300.00.')
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
    expectShown('DIWALI10: This code is not valid, or it has ended.')
    expect(shownTotal()).toBe('₹360.00')
    expect(localStorage.getItem('coupon')).toBeNull()
  })

  test('is sent with the payment', async () => {
    const { sentBody } = await openWithCoupon(DIWALI, { user: PRIYA })
    await applyCode('DIWALI10')
    await pay()
    expect(sentBody('POST /payments/razorpay-order')).toMatchObject({
      amount: 324,
      coupon: 'DIWALI10'
    })
  })
})

describe('Free delivery in the cart', () => {
  const open = (changes: Partial<DeliveryReply> = {}, rules = {}) => {
    localStorage.setItem('pincode', '"620018"')
    const suggestions = [makeCard('halwa', { price: 150 }), makeCard('murukku', { price: 90 })]
    const reply = answerPincode({ delivery: OFFER, suggestions, ...changes })
    const shown = { hasFees: true, ...rules }
    return openCheckout({ replies: { 'GET /delivery': reply }, rules: shown })
  }
  const add = (name: string) => screen.queryByRole('button', { name: `Add to Cart: ${name}` })
  const askedFor = (calls: readonly string[]) =>
    calls.filter(call => call.startsWith('GET /delivery')).at(-1)

  test('is said to be missing, with products of which one can be added without losing the focus', async () => {
    const page = await open()
    expectShown('₹140 more for free delivery')
    expect(askedFor(page.calls)).toMatch(/items=pak%3A2&goods=360$/)
    page.shop.setQuote('halwa', { listPrice: 150 })
    fireEvent.click(add('halwa') as HTMLElement)
    expectShown('Your delivery is free')
    expect(shownTotal()).toBe('₹510.00')
    expect(page.cart().map(({ _id }) => _id)).toEqual(['pak', 'halwa'])
    expect(document.activeElement).toBe(add('halwa'))
    await waitForUpdates(700)
    expect(askedFor(page.calls)).toMatch(/items=pak%3A2%2Chalwa%3A1&goods=510$/)
    expect(document.activeElement).toBe(add('halwa'))
    await press('Remove halwa')
    screen.getByRole('button', { name: /^Undo/ }).focus()
    expectShown('₹140 more for free delivery')
    await press('Decrease quantity')
    expectShown('₹320 more for free delivery')
  })

  test('is shown without products that are in the cart, and after a coupon by what it leaves', async () => {
    const page = await open({ suggestions: [makeCard('pak'), makeCard('murukku')] })
    expect([add('pak'), add('murukku')?.tagName]).toEqual([null, 'BUTTON'])
    page.shop.setCoupon(DIWALI)
    await applyCode('DIWALI10')
    expectShown('₹176 more for free delivery')
    await waitForUpdates(700)
    expect(askedFor(page.calls)).toMatch(/goods=324$/)
  })

  test.for([
    ['pickup', { pickup: PICKUP }, { hasPickup: true }],
    ['a place without a fee', { delivery: { ...OFFER, usualFee: 0, freeAbove: null } }, {}],
    ['a place that always costs a fee', { delivery: { ...OFFER, freeAbove: null } }, {}],
    ['a place that is not served', { delivery: null }, {}],
    ['a closed shop', {}, { closed: { from: '2020-01-01', until: '2099-01-01', message: '' } }]
  ] as const)('is not mentioned for %s', async ([, changes, rules]) => {
    if ('hasPickup' in rules) localStorage.setItem('pickup', 'true')
    await open(changes, rules)
    expectNotShown(/more for free delivery|delivery is free/)
    expect(add('murukku')).toBeNull()
  })
})
