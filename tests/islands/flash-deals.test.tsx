import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { makeDiscount, makeFlashDeal, NOW } from '../support/deals.ts'
import {
  button,
  card,
  detail,
  leavePage,
  openDeals,
  advance,
  press,
  freezeTime
} from './flash-deals-page.tsx'

beforeEach(freezeTime)
afterEach(leavePage)

describe('Flash deal card', () => {
  test('shows product, list price, discount range and time left', async () => {
    await openDeals()
    expect(within(card()).getByRole('link', { name: 'pak' }).getAttribute('href')).toBe(
      '/products/pak'
    )
    expect(card().querySelector('s')?.textContent).toBe('₹180.00')
    expect(card().textContent).toContain('Get 1–20% off until Sat, 21 Nov, 6:00 pm')
    expect(card().textContent).toContain('8 h 30 min left')
    await advance(31 * SECOND)
    expect(card().textContent).toContain('8 h 29 min left')
  })

  test("shows visitors 'Login to get discount' and redirects them to the login page", async () => {
    const page = await openDeals()
    expect(button().textContent).toBe('Login to get discount')
    await press('Login to get discount: pak')
    expect(page.toastTexts()).toEqual([['Please login to get your personal discount', undefined]])
    await advance(2000)
    expect(page.redirects()).toEqual(['/login?return=%2Fdiscounted-products'])
  })

  test("shows 'Click to get your discount', then 'Generating your discount...' while the discount is drawn", async () => {
    let reply = (_reply: Response): void => undefined
    await openDeals({
      loggedIn: true,
      drawReply: () => new Promise<Response>(resolve => (reply = resolve))
    })
    expect(button().textContent).toBe('Click to get your discount')
    await press('Click to get your discount: pak')
    expect(button().textContent).toBe('Generating your discount...')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(within(card()).getByRole('status').textContent).toBe('Generating your discount...')
    reply(Response.json(makeDiscount('pak')))
    await advance(0)
    expect(within(card()).getByRole('status').textContent).toBe('')
  })

  test('draws the discount on a click anywhere on the card', async () => {
    const page = await openDeals({
      loggedIn: true,
      reducedMotion: true,
      drawReply: () => Response.json(makeDiscount('pak'))
    })
    fireEvent.click(card())
    await advance(0)
    expect(page.findDiscount('pak')?.state).toBe('settled')
    fireEvent.click(card())
    expect(page.toastTexts().at(-1)?.[0]).toBe('You already have a discount for this product')
  })

  test('hides the animation from screen readers, then shows discount and price', async () => {
    const page = await openDeals({
      loggedIn: true,
      drawReply: () => Response.json(makeDiscount('pak', 13))
    })
    button().focus()
    await press('Click to get your discount: pak')
    const figures = within(card()).getByText('Your Discount').closest('dl')
    expect(detail('Your Discount')?.className).toContain('animate-')
    expect(figures?.closest('[aria-hidden="true"]')).not.toBeNull()
    expect(button().textContent).toBe('Add to Cart')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(button())
    fireEvent.click(button())
    expect(page.$cart.get()).toEqual([])
    await advance(2000)
    expect(detail('Your Discount')?.textContent).toBe('13%')
    expect(detail('Your Price')?.textContent).toBe('₹156.60')
    expect(card().querySelector('[aria-hidden="true"] dl, [class*="animate-"]')).toBeNull()
    expect(page.toastTexts()).toEqual([['Congratulations! You got a 13% discount!', undefined]])
    expect(document.activeElement).toBe(button())
    await press('Add to Cart: pak')
    expect(page.$cart.get()).toMatchObject([{ price: 156.6, discount: 13, dealId: 'deal-pak' }])
    expect(card().textContent).toContain('In Cart: 1')
  })

  test('shows an error and allows a retry if drawing the discount fails', async () => {
    await openDeals({ loggedIn: true, drawReply: () => Response.json({}, { status: 503 }) })
    await press('Click to get your discount: pak')
    expect(card().textContent).toContain('Failed to generate discount. Please try again.')
    expect(button().textContent).toBe('Click to get your discount')
  })

  test('shows a used discount with a link to the orders', async () => {
    await openDeals({ loggedIn: true, discounts: [makeDiscount('pak', 12, { used: true })] })
    expect(card().textContent).toContain('You have already used this discount.')
    expect(screen.queryByRole('button', { name: /Add to Cart/ })).toBeNull()
    expect(screen.getByRole('link', { name: 'My Orders' }).getAttribute('href')).toBe('/orders')
  })

  test("shows 'Product Name Not Available' and is disabled if the deal has no product", async () => {
    const page = await openDeals({
      loggedIn: true,
      deals: [makeFlashDeal('pak', { productId: null as never })],
      discounts: [makeDiscount('pak')]
    })
    expect(within(card()).getByRole('heading').textContent).toBe('Product Name Not Available')
    expect(button().disabled).toBe(true)
    fireEvent.click(card())
    await advance(0)
    expect(page.toastTexts()).toEqual([['Product information is missing', undefined]])
  })

  test('is disabled if the product is out of stock', async () => {
    const deal = makeFlashDeal('pak')
    await openDeals({
      loggedIn: true,
      deals: [{ ...deal, productId: { ...deal.productId, stock: 0 } }],
      discounts: [makeDiscount('pak')]
    })
    expect(button().textContent).toBe('Out of Stock')
    expect(button().disabled).toBe(true)
  })

  test('disappears with a toast when the deal ends, and moves the focus to the list', async () => {
    const endTime = new Date(Date.parse(NOW) + 5 * SECOND).toISOString()
    const page = await openDeals({ deals: [makeFlashDeal('pak', { endTime })] })
    expect(card().textContent).toContain('0 min 05 s left')
    button().focus()
    await advance(6 * SECOND)
    expect(screen.queryByRole('article')).toBeNull()
    expect(screen.getByText('No active flash deals at the moment')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Running Deals' }))
    expect(page.toastTexts()).toEqual([['The deal on pak has ended.', undefined]])
  })
})

describe('Flash deals list', () => {
  test("shows 'No active flash deals at the moment' with a link to the products", async () => {
    await openDeals({ deals: [] })
    expect(screen.getByText('No active flash deals at the moment')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See our products' })).toBeTruthy()
  })

  test('keeps the prerendered deals and shows an error if loading fails', async () => {
    const page = await openDeals({ deals: undefined })
    expect(screen.getByText('Failed to load flash deals. Please try again later.')).toBeTruthy()
    expect(card()).toBeTruthy()
    const callsBefore = page.calls.length
    await press('Try again')
    expect(page.calls.length).toBeGreaterThan(callsBefore)
  })

  test('shows deals that are newer than the prerendered page', async () => {
    await openDeals({ deals: [makeFlashDeal('pak'), makeFlashDeal('laddu')] })
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })
})
