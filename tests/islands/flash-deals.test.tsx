// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { renderToString } from 'react-dom/server'
import { hydrateRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Discount, FlashDeal } from '#lib/contract/deals.ts'
import type { DealView } from '#lib/deal-view.ts'
import { SECOND } from '#lib/time.ts'
import { dealOf, drawn, flashDeal, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/flash.ts'
import { answers, PRIYA } from '../support/session.ts'

interface Visit {
  loggedIn?: boolean
  still?: boolean
  prebuilt?: readonly DealView[]
  /** What the shop answers; without it there is no network. */
  deals?: readonly FlashDeal[] | undefined
  mine?: readonly Discount[]
  draw?: () => Response | Promise<Response>
}

const PAK = dealOf('pak')

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
afterEach(() => {
  cleanup()
  document.body.innerHTML = ''
  vi.useRealTimers()
})

/** The Flash Deals page's island, in a page of its own. */
async function prepare(visit: Visit = {}) {
  const { loggedIn = false, still = false, prebuilt = [PAK], mine = [], draw } = visit
  const deals = 'deals' in visit ? visit.deals : [flashDeal('pak')]
  const page = await openDealsPage({
    send: answers({
      ...(deals && {
        'GET /flash-deals': () => Response.json(deals),
        'GET /flash-deals/mine': () => Response.json(mine)
      }),
      ...(draw && { 'POST /flash-deals/generate/pak': draw })
    }),
    ...(loggedIn && { user: LOGGED_IN }),
    still
  })
  const { FlashDeals } = await import('#islands/deals/FlashDeals.tsx')
  onTestFinished(() => cleanStores(page.$cart, page.$shopper, page.$now))
  return { ...page, island: <FlashDeals deals={prebuilt} /> }
}

async function open(visit: Visit = {}) {
  const page = await prepare(visit)
  render(page.island)
  await pass(0)
  return page
}

function pass(ms: number): Promise<void> {
  return act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
}

async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(0)
}

const card = () => screen.getByRole('article')
const button = () => within(card()).getByRole<HTMLButtonElement>('button')
const fact = (term: string) => within(card()).getByText(term).nextElementSibling

describe('a deal', () => {
  test('shows its product, the struck price, the honest range and the time that is left', async () => {
    await open()
    expect(within(card()).getByRole('link', { name: 'pak' }).getAttribute('href')).toBe('/products/pak')
    expect(card().querySelector('s')?.textContent).toBe('₹180.00')
    expect(card().textContent).toContain('between 1% and 20% off, yours until Sat, 21 Nov, 6:00 pm')
    expect(card().textContent).toContain('8 h 30 min left')
    await pass(31 * SECOND)
    expect(card().textContent).toContain('8 h 29 min left')
  })

  test("says 'Login to get discount' to a visitor, and on a press what for", async () => {
    const page = await open()
    expect(button().textContent).toBe('Login to get discount')
    await press('Login to get discount: pak')
    expect(page.said()).toEqual([['Please login to get your personal discount', undefined]])
    await pass(2000)
    expect(page.went()).toEqual(['/login?return=%2Fdiscounted-products'])
  })

  test("says 'Click to get your discount' to who is logged in, and 'Generating your discount...' while it is drawn", async () => {
    let answer = (_reply: Response): void => undefined
    await open({ loggedIn: true, draw: () => new Promise<Response>(resolve => (answer = resolve)) })
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
    const page = await open({ loggedIn: true, still: true, draw: () => Response.json(drawn('pak')) })
    fireEvent.click(card())
    await pass(0)
    expect(page.own('pak')?.state).toBe('settled')
    fireEvent.click(card())
    expect(page.said().at(-1)?.[0]).toBe('You already have a discount for this product')
  })

  test('lets numbers run and pulse, unheard, and then shows discount and price', async () => {
    const page = await open({ loggedIn: true, draw: () => Response.json(drawn('pak', 13)) })
    button().focus()
    await press('Click to get your discount: pak')
    const figures = within(card()).getByText('Your Discount').closest('dl')
    expect(figures?.className).toContain('animate-pulse')
    expect(figures?.closest('[aria-hidden="true"]')).not.toBeNull()
    expect(button().textContent).toBe('Add to Cart')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(button())
    fireEvent.click(button())
    expect(page.$cart.get()).toEqual([])
    await pass(2000)
    expect(fact('Your Discount')?.textContent).toBe('13%')
    expect(fact('Your Price')?.textContent).toBe('₹156.60')
    expect(card().querySelector('[aria-hidden="true"] dl, .animate-pulse')).toBeNull()
    expect(page.said()).toEqual([['Congratulations! You got a 13% discount!', undefined]])
    expect(document.activeElement).toBe(button())
    await press('Add to Cart: pak')
    expect(page.$cart.get()).toMatchObject([{ price: 156.6, discount: 13, dealId: 'deal-pak' }])
    expect(card().textContent).toContain('In Cart: 1')
  })

  test('that could not be drawn says so, and may be tried again', async () => {
    await open({ loggedIn: true, draw: () => Response.json({}, { status: 503 }) })
    await press('Click to get your discount: pak')
    expect(card().textContent).toContain('Failed to generate discount. Please try again.')
    expect(button().textContent).toBe('Click to get your discount')
  })

  test('whose discount an order has used says so and leads to the orders', async () => {
    await open({ loggedIn: true, mine: [drawn('pak', 12, { used: true })] })
    expect(card().textContent).toContain('You have used this discount in an order.')
    expect(screen.queryByRole('button', { name: /Add to Cart/ })).toBeNull()
    expect(screen.getByRole('link', { name: 'My Orders' }).getAttribute('href')).toBe('/orders')
  })

  test("without its product is called 'Product Name Not Available', and can't be had", async () => {
    const page = await open({
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
    await open({
      loggedIn: true,
      deals: [{ ...deal, productId: { ...deal.productId, stock: 0 } }],
      mine: [drawn('pak')]
    })
    expect(button().textContent).toBe('Out of Stock')
    expect(button().disabled).toBe(true)
  })

  test('goes when it ends, with a word, and leaves the focus among the deals', async () => {
    const endTime = new Date(Date.parse(NOW) + 5 * SECOND).toISOString()
    const page = await open({ deals: [flashDeal('pak', { endTime })] })
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
    await open({ deals: [] })
    expect(screen.getByText('No active flash deals at the moment')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See our products' })).toBeTruthy()
  })

  test("can't be loaded: 'Failed to load flash deals. Please try again later.', and the prebuilt ones stay", async () => {
    const page = await open({ deals: undefined })
    expect(screen.getByText('Failed to load flash deals. Please try again later.')).toBeTruthy()
    expect(card()).toBeTruthy()
    const asked = page.calls.length
    await press('Try again')
    expect(page.calls.length).toBeGreaterThan(asked)
  })

  test('that the shop has opened since the page was built join it', async () => {
    await open({ deals: [flashDeal('pak'), flashDeal('laddu')] })
    expect(screen.getAllByRole('article')).toHaveLength(2)
  })
})

describe('the prebuilt page', () => {
  const KEY = `discounts:${PRIYA._id}`
  const record = { dealId: PAK.id, productId: 'pak', discount: 13, isAnimating: true, timestamp: 1, used: false }

  /** Brings what was built in an empty world to life in this one, and answers what React complained about. */
  async function hydrate(html: string, island: React.ReactNode): Promise<unknown[]> {
    const complaints: unknown[] = []
    vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void complaints.push(words))
    document.body.innerHTML = `<main>${html}</main>`
    await act(async () => {
      const root = hydrateRoot(document.querySelector('main') as Element, island, {
        onRecoverableError: error => complaints.push(error)
      })
      onTestFinished(() => act(() => root.unmount()))
    })
    await pass(0)
    return complaints
  }

  test('has every deal, and speaks to a visitor', async () => {
    const { island } = await prepare()
    const html = renderToString(island)
    expect(html).toContain('href="/products/pak"')
    expect(html).toContain('between 1% and 20% off')
    expect(html).toContain('Login to get discount')
    expect(html).not.toContain('min left')
  })

  test.for([
    ['a discount that was drawn', JSON.stringify([record])],
    ['broken JSON', '[{'],
    ['something else', '{"pak":12}']
  ])('comes to life over %s without a complaint', async ([, stored = '']) => {
    const html = renderToString((await prepare()).island)
    const { island } = await prepare({ loggedIn: true, deals: undefined })
    localStorage.setItem(KEY, stored)
    localStorage.setItem('cart', '[{"broken":')
    expect(await hydrate(html, island)).toEqual([])
    expect(button().textContent).toBe(stored.includes('dealId') ? 'Add to Cart' : 'Click to get your discount')
  })
})
