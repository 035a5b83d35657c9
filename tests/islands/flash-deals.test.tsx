// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { drawn, flashDeal, NOW } from '../support/deals.ts'
import { button, card, fact, leavePage, openDeals, pass, press, stopTime } from './flash-page.tsx'

beforeEach(stopTime)
afterEach(leavePage)

describe('a deal', () => {
  test('shows its product, the struck price, the honest range and the time that is left', async () => {
    await openDeals()
    expect(within(card()).getByRole('link', { name: 'pak' }).getAttribute('href')).toBe('/products/pak')
    expect(card().querySelector('s')?.textContent).toBe('₹180.00')
    expect(card().textContent).toContain('between 1% and 20% off, yours until Sat, 21 Nov, 6:00 pm')
    expect(card().textContent).toContain('8 h 30 min left')
    await pass(31 * SECOND)
    expect(card().textContent).toContain('8 h 29 min left')
  })

  test("says 'Login to get discount' to a visitor, and on a press what for", async () => {
    const page = await openDeals()
    expect(button().textContent).toBe('Login to get discount')
    await press('Login to get discount: pak')
    expect(page.said()).toEqual([['Please login to get your personal discount', undefined]])
    await pass(2000)
    expect(page.went()).toEqual(['/login?return=%2Fdiscounted-products'])
  })

  test("says 'Click to get your discount' to who is logged in, and 'Generating your discount...' while it is drawn", async () => {
    let answer = (_reply: Response): void => undefined
    await openDeals({ loggedIn: true, draw: () => new Promise<Response>(resolve => (answer = resolve)) })
    expect(button().textContent).toBe('Click to get your discount')
    await press('Click to get your discount: pak')
    expect(button().textContent).toBe('Generating your discount...')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(within(card()).getByRole('status').textContent).toBe('Generating your discount...')
    answer(Response.json(drawn('pak')))
    await pass(0)
    expect(within(card()).getByRole('status').textContent).toBe('')
  })

  test('can be pressed anywhere', async () => {
    const page = await openDeals({ loggedIn: true, still: true, draw: () => Response.json(drawn('pak')) })
    fireEvent.click(card())
    await pass(0)
    expect(page.own('pak')?.state).toBe('settled')
    fireEvent.click(card())
    expect(page.said().at(-1)?.[0]).toBe('You already have a discount for this product')
  })

  test('lets numbers run and pulse, unheard, and then shows discount and price', async () => {
    const page = await openDeals({ loggedIn: true, draw: () => Response.json(drawn('pak', 13)) })
    button().focus()
    await press('Click to get your discount: pak')
    const figures = within(card()).getByText('Your Discount').closest('dl')
    expect(fact('Your Discount')?.className).toContain('animate-')
    expect(figures?.closest('[aria-hidden="true"]')).not.toBeNull()
    expect(button().textContent).toBe('Add to Cart')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(button())
    fireEvent.click(button())
    expect(page.$cart.get()).toEqual([])
    await pass(2000)
    expect(fact('Your Discount')?.textContent).toBe('13%')
    expect(fact('Your Price')?.textContent).toBe('₹156.60')
    expect(card().querySelector('[aria-hidden="true"] dl, [class*="animate-"]')).toBeNull()
    expect(page.said()).toEqual([['Congratulations! You got a 13% discount!', undefined]])
    expect(document.activeElement).toBe(button())
    await press('Add to Cart: pak')
    expect(page.$cart.get()).toMatchObject([{ price: 156.6, discount: 13, dealId: 'deal-pak' }])
    expect(card().textContent).toContain('In Cart: 1')
  })

  test('that could not be drawn says so, and may be tried again', async () => {
    await openDeals({ loggedIn: true, draw: () => Response.json({}, { status: 503 }) })
    await press('Click to get your discount: pak')
    expect(card().textContent).toContain('Failed to generate discount. Please try again.')
    expect(button().textContent).toBe('Click to get your discount')
  })

  test('whose discount an order has used says so and leads to the orders', async () => {
    await openDeals({ loggedIn: true, mine: [drawn('pak', 12, { used: true })] })
    expect(card().textContent).toContain('You have used this discount in an order.')
    expect(screen.queryByRole('button', { name: /Add to Cart/ })).toBeNull()
    expect(screen.getByRole('link', { name: 'My Orders' }).getAttribute('href')).toBe('/orders')
  })

  test("without its product is called 'Product Name Not Available', and can't be had", async () => {
    const page = await openDeals({
      loggedIn: true,
      deals: [flashDeal('pak', { productId: null as never })],
      mine: [drawn('pak')]
    })
    expect(within(card()).getByRole('heading').textContent).toBe('Product Name Not Available')
    expect(button().disabled).toBe(true)
    fireEvent.click(card())
    await pass(0)
    expect(page.said()).toEqual([['Product information is missing', undefined]])
  })

  test('of what is out of stock says so and can’t be added', async () => {
    const deal = flashDeal('pak')
    await openDeals({
      loggedIn: true,
      deals: [{ ...deal, productId: { ...deal.productId, stock: 0 } }],
      mine: [drawn('pak')]
    })
    expect(button().textContent).toBe('Out of Stock')
    expect(button().disabled).toBe(true)
  })

  test('goes when it ends, with a word, and leaves the focus among the deals', async () => {
    const endTime = new Date(Date.parse(NOW) + 5 * SECOND).toISOString()
    const page = await openDeals({ deals: [flashDeal('pak', { endTime })] })
    expect(card().textContent).toContain('0 min 05 s left')
    button().focus()
    await pass(6 * SECOND)
    expect(screen.queryByRole('article')).toBeNull()
    expect(screen.getByText('No active flash deals at the moment')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Running Deals' }))
    expect(page.said()).toEqual([['The deal on pak has ended.', undefined]])
  })
})

describe('the deals', () => {
  test("are none: 'No active flash deals at the moment', with a next step", async () => {
    await openDeals({ deals: [] })
    expect(screen.getByText('No active flash deals at the moment')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See our products' })).toBeTruthy()
  })

  test("can't be loaded: 'Failed to load flash deals. Please try again later.', and the prebuilt ones stay", async () => {
    const page = await openDeals({ deals: undefined })
    expect(screen.getByText('Failed to load flash deals. Please try again later.')).toBeTruthy()
    expect(card()).toBeTruthy()
    const asked = page.calls.length
    await press('Try again')
    expect(page.calls.length).toBeGreaterThan(asked)
  })

  test('that the shop has opened since the page was built join it', async () => {
    await openDeals({ deals: [flashDeal('pak'), flashDeal('laddu')] })
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })
})
