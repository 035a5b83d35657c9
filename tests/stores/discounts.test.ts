import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { respondWith, PRIYA, errorReply } from '../support/session.ts'
import { dealView, drawnDiscount, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/deals-page.ts'

const PAK = dealView('pak')
const GENERATE = 'POST /flash-deals/generate/pak'
const MINE = 'GET /flash-deals/mine'
const shop = (percent = 12) =>
  respondWith({ [GENERATE]: () => Response.json(drawnDiscount('pak', percent)), [MINE]: () => Response.json([]) })

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
    page.saveSession(LOGGED_IN.token, PRIYA)
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.redirects()).toEqual([])
  })

  test("shows 'Product information is missing' for a deal without a product", async () => {
    const page = await openDealsPage({ send: respondWith({}), user: LOGGED_IN })
    await page.requestDiscount({ ...PAK, product: undefined })
    page.addDealToCart({ ...PAK, product: undefined })
    expect(page.toastTexts().map(([title]) => title)).toEqual(Array(2).fill('Product information is missing'))
    expect(page.calls).toEqual([])
  })

  test('animates forty numbers, one every 50 ms, and ends with the drawn discount', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN })
    await page.restoreDiscounts()
    const shown: number[] = []
    page.$discounts.listen(all => {
      const own = all.get(PAK.id)
      if (own?.state === 'animating') shown.push(own.shown)
    })
    const request = page.requestDiscount(PAK)
    expect(page.discountOf('pak')).toEqual({ state: 'generating' })
    await request
    await vi.advanceTimersByTimeAsync(1999)
    expect([shown.length, page.discountOf('pak')?.state]).toEqual([40, 'animating'])
    expect(page.toastTexts()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.discountOf('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    expect(page.toastTexts()).toEqual([['Congratulations! You got a 12% discount!', undefined]])
    expect(shown.every(number => Number.isInteger(number) && number >= 1 && number <= 100)).toBe(true)
    expect(new Set(shown).size).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shown).toHaveLength(40)
  })

  test('skips the animation with reduced motion', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN, reducedMotion: true })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    expect(page.discountOf('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    expect(page.toastTexts()).toEqual([['Congratulations! You got a 12% discount!', undefined]])
  })

  test('makes one call if requested again while it is running', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN })
    await page.restoreDiscounts()
    await Promise.all([page.requestDiscount(PAK), page.requestDiscount(PAK)])
    await page.requestDiscount(PAK)
    expect(page.calls).toEqual([MINE, GENERATE])
  })

  test("shows 'You already have a discount for this product' after the draw", async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN, reducedMotion: true })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    await page.requestDiscount(PAK)
    expect(page.toastTexts().at(-1)).toEqual(['You already have a discount for this product', undefined])
    expect(page.calls).toEqual([MINE, GENERATE])
  })

  test.for([
    ['no network', () => Promise.reject(new TypeError('fetch failed')), MESSAGES.offline],
    ['a deal that has ended', errorReply(409, { code: 'DEAL_ENDED', message: MESSAGES.dealEnded }), MESSAGES.dealEnded],
    [
      'an unavailable API',
      errorReply(503, { code: 'UNAVAILABLE', message: MESSAGES.unavailable }),
      MESSAGES.unavailable
    ]
  ] as const)('shows the reason for %s and can be retried', async ([, reply, reason]) => {
    let answer: () => Response | Promise<Response> = reply
    const page = await openDealsPage({
      send: respondWith({ [GENERATE]: () => answer(), [MINE]: () => Response.json([]) }),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.requestDiscount(PAK)
    expect(page.toastTexts()).toEqual([['Failed to generate discount. Please try again.', reason]])
    expect(page.discountOf('pak')).toEqual({ state: 'failed' })
    answer = () => Response.json(drawnDiscount('pak'))
    await page.requestDiscount(PAK)
    expect(page.discountOf('pak')?.state).toBe('settled')
  })

  test("shows only 'Session expired' if the session has ended", async () => {
    const page = await openDealsPage({ send: respondWith({ [GENERATE]: errorReply(401) }), user: LOGGED_IN })
    await page.requestDiscount(PAK)
    expect(page.toastTexts()).toEqual([['Session expired', 'Please login again to continue']])
  })

  test('uses the discount of a newer deal than the one on the page', async () => {
    const next = drawnDiscount('pak', 7, { dealId: 'deal-next' })
    const page = await openDealsPage({
      send: respondWith({ [GENERATE]: () => Response.json(next), [MINE]: () => Response.json([]) }),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    expect([...page.$discounts.get().keys()]).toEqual(['deal-next'])
  })

  test('is dropped if the shopper logs out before the reply', async () => {
    let answer = (_reply: Response): void => undefined
    const page = await openDealsPage({
      send: respondWith({
        [GENERATE]: () => new Promise<Response>(resolve => (answer = resolve)),
        [MINE]: () => Response.json([])
      }),
      user: LOGGED_IN,
      reducedMotion: true
    })
    await page.restoreDiscounts()
    const request = page.requestDiscount(PAK)
    page.clearSession()
    await page.restoreDiscounts()
    answer(Response.json(drawnDiscount('pak')))
    await request
    expect(page.$discounts.get().size).toBe(0)
    expect(page.toastTexts()).toEqual([])
  })
})

describe('Adding a deal to the cart', () => {
  test('adds one pack at the reduced price with the deal', async () => {
    const page = await openDealsPage({ send: shop(13), user: LOGGED_IN, reducedMotion: true })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    page.addDealToCart(PAK)
    expect(page.$cart.get()).toMatchObject([
      { _id: 'pak', price: 156.6, discount: 13, dealId: 'deal-pak', quantity: { value: 1 } }
    ])
    expect(page.$cart.get()[0]).not.toHaveProperty('stock')
    expect(page.toastTexts().at(-1)?.[0]).toBe('Added to cart!')
    page.addDealToCart(PAK)
    expect(page.toastTexts().at(-1)?.[0]).toBe('You cannot add more quantity of a discounted product')
  })

  test.for([
    ['without a discount', undefined, 'Please click on the product to get your discount first'],
    ['with a used discount', drawnDiscount('pak', 12, { used: true }), 'You have already used this discount.']
  ] as const)('fails %s', async ([, mine, message]) => {
    const page = await openDealsPage({
      send: respondWith({ [MINE]: () => Response.json(mine ? [mine] : []) }),
      user: LOGGED_IN
    })
    await page.restoreDiscounts()
    page.addDealToCart(PAK)
    expect(page.toastTexts()).toEqual([[message, undefined]])
    expect(page.$cart.get()).toEqual([])
  })

  test('is not possible during the animation', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    page.addDealToCart(PAK)
    expect(page.$cart.get()).toEqual([])
  })
})
