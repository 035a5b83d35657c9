import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { respondWith, PRIYA, errorReply } from '../support/session.ts'
import { makeDealView, makeDiscount, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/deals-page.ts'

const PAK = makeDealView('pak')
const GENERATE = 'POST /flash-deals/generate/pak'
const DISCOUNTS = 'GET /flash-deals/mine'
const SESSION_CHECK = 'GET /auth/me'
const replyWithDiscount = (percent = 12) =>
  respondWith({
    [SESSION_CHECK]: () => Response.json(PRIYA),
    [GENERATE]: () => Response.json(makeDiscount('pak', percent)),
    [DISCOUNTS]: () => Response.json([])
  })

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
afterEach(() => void vi.useRealTimers())

describe('Drawing a discount', () => {
  test("without login shows 'Please login to get your personal discount' and redirects after 2 s", async () => {
    const page = await openDealsPage({ send: respondWith({}) })
    await page.requestDiscount(PAK)
    await page.requestDiscount(PAK)
    expect(page.toastTexts()).toEqual([['Please login to get your personal discount', undefined]])
    await vi.advanceTimersByTimeAsync(1999)
    expect(page.redirects()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.redirects()).toEqual(['/login?return=%2Fdiscounted-products'])
    expect(page.calls).toEqual([])
  })

  test('does not redirect if another tab has logged in', async () => {
    const page = await openDealsPage({ send: respondWith({}) })
    await page.requestDiscount(PAK)
    page.setSession({ token: LOGGED_IN.token, user: PRIYA })
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.redirects()).toEqual([])
  })

  test("shows 'Product information is missing' for a deal without a product", async () => {
    const page = await openDealsPage({ send: respondWith({}), user: LOGGED_IN })
    await page.requestDiscount({ ...PAK, product: undefined })
    page.addDealToCart({ ...PAK, product: undefined })
    expect(page.toastTexts().map(([title]) => title)).toEqual(
      Array(2).fill('Product information is missing')
    )
    expect(page.calls).toEqual([])
  })

  test('animates forty numbers, one every 50 ms, and ends with the drawn discount', async () => {
    const page = await openDealsPage({ send: replyWithDiscount(), user: LOGGED_IN })
    await page.restoreDiscounts()
    const shownNumbers: number[] = []
    page.$discounts.listen(discounts => {
      const own = discounts.get(PAK.id)
      if (own?.state === 'animating') shownNumbers.push(own.shown)
    })
    const request = page.requestDiscount(PAK)
    expect(page.findDiscount('pak')).toEqual({ state: 'generating' })
    await request
    await vi.advanceTimersByTimeAsync(1999)
    expect([shownNumbers.length, page.findDiscount('pak')?.state]).toEqual([40, 'animating'])
    expect(page.toastTexts()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    expect(page.toastTexts()).toEqual([['Congratulations! You got a 12% discount!', undefined]])
    expect(
      shownNumbers.every(number => Number.isInteger(number) && number >= 1 && number <= 100)
    ).toBe(true)
    expect(new Set(shownNumbers).size).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shownNumbers).toHaveLength(40)
  })

  test('skips the animation if the user prefers reduced motion', async () => {
    const page = await openDealsPage({
      send: replyWithDiscount(),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    expect(page.toastTexts()).toEqual([['Congratulations! You got a 12% discount!', undefined]])
  })

  test('makes only one call if a discount is requested again during the animation', async () => {
    const page = await openDealsPage({ send: replyWithDiscount(), user: LOGGED_IN })
    await page.restoreDiscounts()
    await Promise.all([page.requestDiscount(PAK), page.requestDiscount(PAK)])
    await page.requestDiscount(PAK)
    expect(page.calls).toEqual([SESSION_CHECK, DISCOUNTS, GENERATE])
  })

  test("shows 'You already have a discount for this product' if a discount is requested again", async () => {
    const page = await openDealsPage({
      send: replyWithDiscount(),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    await page.requestDiscount(PAK)
    expect(page.toastTexts().at(-1)).toEqual([
      'You already have a discount for this product',
      undefined
    ])
    expect(page.calls).toEqual([SESSION_CHECK, DISCOUNTS, GENERATE])
  })

  test.for([
    [
      'no network',
      () => Promise.reject(new TypeError('fetch failed')),
      'We cannot reach the shop. Check your connection and try again.'
    ],
    [
      'a deal that has ended',
      errorReply(409, { code: 'DEAL_ENDED', message: 'This deal has ended.' }),
      'This deal has ended.'
    ],
    [
      'an unavailable API',
      errorReply(503, {
        code: 'UNAVAILABLE',
        message: 'The shop is busy or being updated. Please try again in a moment.'
      }),
      'The shop is busy or being updated. Please try again in a moment.'
    ]
  ] as const)('shows the reason of a failure and can be retried: %s', async ([, reply, reason]) => {
    let nextReply: () => Response | Promise<Response> = reply
    const page = await openDealsPage({
      send: respondWith({ [GENERATE]: () => nextReply(), [DISCOUNTS]: () => Response.json([]) }),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.requestDiscount(PAK)
    expect(page.toastTexts()).toEqual([['Failed to generate discount. Please try again.', reason]])
    expect(page.findDiscount('pak')).toEqual({ state: 'failed' })
    nextReply = () => Response.json(makeDiscount('pak'))
    await page.requestDiscount(PAK)
    expect(page.findDiscount('pak')?.state).toBe('settled')
  })

  test("shows only 'Session expired' if the session has ended", async () => {
    const page = await openDealsPage({
      send: respondWith({ [GENERATE]: errorReply(401) }),
      user: LOGGED_IN
    })
    await page.requestDiscount(PAK)
    await vi.dynamicImportSettled()
    expect(page.toastTexts()).toEqual([['Session expired', 'Please login again to continue']])
    await vi.advanceTimersByTimeAsync(1499)
    expect(page.redirects()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.redirects()).toEqual(['/login?return=%2Fdiscounted-products'])
  })

  test('are not loaded with a session that the server rejects when the page opens', async () => {
    const replies = { [SESSION_CHECK]: errorReply(401), [DISCOUNTS]: errorReply(401) }
    const page = await openDealsPage({ send: respondWith(replies), user: LOGGED_IN })
    await page.restoreDiscounts()
    expect([page.toastTexts(), page.calls]).toEqual([[], [SESSION_CHECK]])
  })

  test('accepts a discount of a deal that is newer than the deal on the page', async () => {
    const newerDiscount = makeDiscount('pak', 7, { dealId: 'deal-next' })
    const page = await openDealsPage({
      send: respondWith({
        [GENERATE]: () => Response.json(newerDiscount),
        [DISCOUNTS]: () => Response.json([])
      }),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    expect([...page.$discounts.get().keys()]).toEqual(['deal-next'])
  })

  test('has no effect if the shopper logs out before the reply arrives', async () => {
    let nextReply = (_reply: Response): void => undefined
    const page = await openDealsPage({
      send: respondWith({
        [GENERATE]: () => new Promise<Response>(resolve => (nextReply = resolve)),
        [DISCOUNTS]: () => Response.json([])
      }),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.restoreDiscounts()
    const request = page.requestDiscount(PAK)
    page.clearSession()
    await page.restoreDiscounts()
    nextReply(Response.json(makeDiscount('pak')))
    await request
    expect(page.$discounts.get().size).toBe(0)
    expect(page.toastTexts()).toEqual([])
  })
})

describe('Adding a deal to the cart', () => {
  test('adds one pack at the reduced price and stores the deal’s id', async () => {
    const page = await openDealsPage({
      send: replyWithDiscount(13),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    page.addDealToCart(PAK)
    expect(page.$cart.get()).toMatchObject([
      { _id: 'pak', price: 156.6, discount: 13, dealId: 'deal-pak', quantity: { value: 1 } }
    ])
    expect(page.$cart.get()[0]).not.toHaveProperty('stock')
    expect(page.toastTexts().at(-1)?.[0]).toBe('Added to cart!')
    page.addDealToCart(PAK)
    expect(page.toastTexts().at(-1)?.[0]).toBe(
      'You cannot add more quantity of a discounted product'
    )
  })

  test.for([
    ['without a discount', undefined, 'Please click on the product to get your discount first'],
    [
      'with a used discount',
      makeDiscount('pak', 12, { used: true }),
      'You have already used this discount.'
    ]
  ] as const)('fails %s', async ([, discount, message]) => {
    const page = await openDealsPage({
      send: respondWith({ [DISCOUNTS]: () => Response.json(discount ? [discount] : []) }),
      user: LOGGED_IN
    })
    await page.restoreDiscounts()
    page.addDealToCart(PAK)
    expect(page.toastTexts()).toEqual([[message, undefined]])
    expect(page.$cart.get()).toEqual([])
  })

  test('is not possible during the animation', async () => {
    const page = await openDealsPage({ send: replyWithDiscount(), user: LOGGED_IN })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    page.addDealToCart(PAK)
    expect(page.$cart.get()).toEqual([])
  })
})
