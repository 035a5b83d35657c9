import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Discount, FlashDeal } from '#lib/contract/promotions.ts'
import { type ClosedDays, NEVER_CLOSED } from '#lib/delivery/calendar.ts'
import { SECOND } from '#lib/time.ts'
import { expectAccessible } from '../support/accessibility.ts'
import {
  LOGGED_IN,
  makeDealView,
  makeDiscount,
  makeFlashDeal,
  NOW,
  openDealsPage
} from '../support/deals.ts'
import { advance, expectShown } from '../support/page-input.ts'
import { PRIYA, respondWith } from '../support/session.ts'

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
afterEach(() => {
  cleanup()
  document.body.innerHTML = ''
  vi.useRealTimers()
})

interface PageOptions {
  loggedIn?: boolean
  reducedMotion?: boolean
  /** Deals in the reply of the API. Undefined means that there is no network. */
  deals?: readonly FlashDeal[] | undefined
  discounts?: readonly Discount[]
  drawReply?: () => Response | Promise<Response>
  closed?: ClosedDays
}

const PAK = makeDealView('pak')

async function createPage(options: PageOptions = {}) {
  const { loggedIn = false, reducedMotion = false, discounts = [], drawReply } = options
  const { closed = NEVER_CLOSED } = options
  const deals = 'deals' in options ? options.deals : [makeFlashDeal('pak')]
  const page = await openDealsPage({
    send: respondWith({
      ...(deals && {
        'GET /flash-deals': () => Response.json(deals),
        'GET /flash-deals/mine': () => Response.json(discounts)
      }),
      ...(drawReply && { 'POST /flash-deals/generate/pak': drawReply })
    }),
    ...(loggedIn && { user: LOGGED_IN }),
    reducedMotion
  })
  const { FlashDeals } = await import('#islands/catalog/FlashDeals.tsx')
  onTestFinished(() => cleanStores(page.$cart, page.$shopperId, page.$now))
  return { ...page, island: <FlashDeals deals={[PAK]} closed={closed} /> }
}

async function openDeals(options: PageOptions = {}) {
  const page = await createPage(options)
  render(page.island)
  await advance(0)
  return page
}

async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await advance(0)
}

const card = () => screen.getByRole('article')
const button = () => within(card()).getByRole<HTMLButtonElement>('button')
const detail = (term: string) => within(card()).getByText(term).nextElementSibling

describe('Flash deal card', () => {
  test('shows product, list price, discount range and time left', async () => {
    await openDeals()
    expect(within(card()).getByRole('link', { name: 'pak' }).getAttribute('href')).toBe(
      '/products/pak'
    )
    expect(card().querySelector('s')?.textContent).toBe('₹180.00')
    expect(card().textContent).toMatch(/Win 1–20% off₹144\.00–₹178\.20.*Until Sat, 21 Nov, 6:00 pm/)
    expect(card().textContent).toContain('8 h 30 min left')
    await advance(31 * SECOND)
    expect(card().textContent).toContain('8 h 29 min left')
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

  test('draws nothing while the shop is closed, but a drawn discount can be added', async () => {
    const closed = { from: '2026-11-21', until: '2026-11-23', message: '' }
    const page = await openDeals({ loggedIn: true, closed })
    expect(within(card()).queryByRole('button')).toBeNull()
    expect(card().textContent).toContain('No discounts while we are closed')
    fireEvent.click(card())
    await advance(0)
    expect(page.calls.filter(line => line.startsWith('POST'))).toEqual([])
    cleanup()
    await openDeals({ loggedIn: true, closed, discounts: [makeDiscount('pak')] })
    expect(button().textContent).toBe('Add to Cart')
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
  })

  test('hides the animation from screen readers, then shows discount and price', async () => {
    await openDeals({
      loggedIn: true,
      drawReply: () => Response.json(makeDiscount('pak', 13))
    })
    await press('Click to get your discount: pak')
    const figures = within(card()).getByText('Your Discount').closest('dl')
    expect(detail('Your Discount')?.className).toContain('animate-')
    expect(figures?.closest('[aria-hidden="true"]')).not.toBeNull()
    await advance(2000)
    expect(detail('Your Discount')?.textContent).toBe('13%')
    expect(detail('Your Price')?.textContent).toBe('₹156.60')
    expect(card().querySelector('[aria-hidden="true"] dl, [class*="animate-"]')).toBeNull()
  })

  test('shows an error and allows a retry if drawing the discount fails', async () => {
    await openDeals({ loggedIn: true, drawReply: () => Response.json({}, { status: 503 }) })
    await press('Click to get your discount: pak')
    expect(card().textContent).toContain('Failed to generate discount. Please try again.')
    expect(button().textContent).toBe('Click to get your discount')
  })

  test('says that its discount is used, or that its product is sold out or not available', async () => {
    const laddu = makeFlashDeal('laddu')
    await openDeals({
      loggedIn: true,
      deals: [
        makeFlashDeal('pak'),
        { ...laddu, productId: { ...laddu.productId, stock: 0 } },
        makeFlashDeal('halwa', { productId: null as never })
      ],
      discounts: [
        makeDiscount('pak', 12, { used: true }),
        makeDiscount('laddu'),
        makeDiscount('halwa')
      ]
    })
    const [used, soldOut, missing] = screen.getAllByRole('article').map(card => within(card))
    expect(used?.getByText('You have already used this discount.')).toBeTruthy()
    expect(used?.getByRole('link', { name: 'My Orders' }).getAttribute('href')).toBe('/orders')
    expect(used?.queryByRole('button', { name: /Add to Cart/ })).toBeNull()
    const soldOutButton = soldOut?.getByRole('button')
    expect(soldOutButton?.textContent).toBe('Out of Stock')
    expect(soldOutButton).toHaveProperty('disabled', true)
    expect(missing?.getByRole('heading').textContent).toBe('Product Name Not Available')
    expect(missing?.getByRole('button')).toHaveProperty('disabled', true)
    vi.useRealTimers()
    await expectAccessible('used, sold out and not available')
  })

  test('disappears with a toast when the deal ends', async () => {
    const endTime = new Date(Date.parse(NOW) + 5 * SECOND).toISOString()
    const page = await openDeals({ deals: [makeFlashDeal('pak', { endTime })] })
    expect(card().textContent).toContain('0 min 05 s left')
    await advance(6 * SECOND)
    expect(screen.queryByRole('article')).toBeNull()
    expectShown('No active flash deals at the moment')
    expect(screen.getByRole('link', { name: 'See our products' })).toBeTruthy()
    expect(page.toastTexts()).toEqual([['The deal on pak has ended.', undefined]])
  })
})

test('The flash deals list keeps the prerendered deals and shows an error if loading fails', async () => {
  const page = await openDeals({ deals: undefined })
  expectShown('Failed to load flash deals. Please try again later.')
  expect(card().textContent).toContain('8 h 30 min left')
  const callsBefore = page.calls.length
  await press('Try again')
  expect(page.calls.length).toBeGreaterThan(callsBefore)
})

test('Prerendered flash deals hydrate without errors if a discount is stored', async () => {
  const html = renderToString((await createPage()).island)
  expect(html).toContain('Login to get discount')
  expect(html).not.toContain('min left')
  const { island } = await createPage({ loggedIn: true, deals: undefined })
  const drawn = { dealId: PAK.id, productId: 'pak', discount: 13, isAnimating: true, timestamp: 1 }
  localStorage.setItem(`discounts:${PRIYA._id}`, JSON.stringify([{ ...drawn, used: false }]))
  const onRecoverableError = vi.fn()
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  document.body.innerHTML = `<main>${html}</main>`
  await act(async () => {
    const root = hydrateRoot(screen.getByRole('main'), island, { onRecoverableError })
    onTestFinished(() => act(() => root.unmount()))
  })
  await advance(0)
  expect([onRecoverableError.mock.calls, logged.mock.calls]).toEqual([[], []])
  expect(button().textContent).toBe('Add to Cart')
})
