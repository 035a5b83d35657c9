import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { answers, PRIYA, refusal } from '../support/session.ts'
import { dealOf, drawn, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/flash.ts'

const PAK = dealOf('pak')
const GENERATE = 'POST /flash-deals/generate/pak'
const MINE = 'GET /flash-deals/mine'
const shop = (percent = 12) =>
  answers({ [GENERATE]: () => Response.json(drawn('pak', percent)), [MINE]: () => Response.json([]) })

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
afterEach(() => void vi.useRealTimers())

describe('asking for a discount', () => {
  test("without a login says 'Please login to get your personal discount' and goes there after 2 s, and back", async () => {
    const page = await openDealsPage({ send: answers({}) })
    await page.requestDiscount(PAK)
    await page.requestDiscount(PAK)
    expect(page.said()).toEqual([['Please login to get your personal discount', undefined]])
    await vi.advanceTimersByTimeAsync(1999)
    expect(page.went()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.went()).toEqual(['/login?return=%2Fdiscounted-products'])
    expect(page.calls).toEqual([])
  })

  test('stays when another tab has logged in meanwhile', async () => {
    const page = await openDealsPage({ send: answers({}) })
    await page.requestDiscount(PAK)
    page.keepSession(LOGGED_IN.token, PRIYA)
    await vi.advanceTimersByTimeAsync(5000)
    expect(page.went()).toEqual([])
  })

  test("for a deal without its product says 'Product information is missing'", async () => {
    const page = await openDealsPage({ send: answers({}), user: LOGGED_IN })
    await page.requestDiscount({ ...PAK, product: undefined })
    page.addDealToCart({ ...PAK, product: undefined })
    expect(page.said().map(([title]) => title)).toEqual(Array(2).fill('Product information is missing'))
    expect(page.calls).toEqual([])
  })

  test('runs forty numbers from 1 to 100, one each 50 ms, and settles on what the shop has drawn', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN })
    await page.openDiscounts()
    const shown: number[] = []
    page.$discounts.listen(all => {
      const own = all.get(PAK.id)
      if (own?.state === 'animating') shown.push(own.shown)
    })
    const asked = page.requestDiscount(PAK)
    expect(page.own('pak')).toEqual({ state: 'generating' })
    await asked
    await vi.advanceTimersByTimeAsync(1999)
    expect([shown.length, page.own('pak')?.state]).toEqual([40, 'animating'])
    expect(page.said()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.own('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    expect(page.said()).toEqual([['Congratulations! You got a 12% discount!', undefined]])
    expect(shown.every(number => Number.isInteger(number) && number >= 1 && number <= 100)).toBe(true)
    expect(new Set(shown).size).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shown).toHaveLength(40)
  })

  test('settles at once for who prefers less motion', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN, still: true })
    await page.openDiscounts()
    await page.requestDiscount(PAK)
    expect(page.own('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    expect(page.said()).toEqual([['Congratulations! You got a 12% discount!', undefined]])
  })

  test('twice, while the shop answers and the numbers run, asks once', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN })
    await page.openDiscounts()
    await Promise.all([page.requestDiscount(PAK), page.requestDiscount(PAK)])
    await page.requestDiscount(PAK)
    expect(page.calls).toEqual([MINE, GENERATE])
  })

  test("again says 'You already have a discount for this product'", async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN, still: true })
    await page.openDiscounts()
    await page.requestDiscount(PAK)
    await page.requestDiscount(PAK)
    expect(page.said().at(-1)).toEqual(['You already have a discount for this product', undefined])
    expect(page.calls).toEqual([MINE, GENERATE])
  })

  test.for([
    ['no network', () => Promise.reject(new TypeError('fetch failed')), MESSAGES.offline],
    ['a deal that has ended', refusal(409, { code: 'DEAL_ENDED', message: MESSAGES.dealEnded }), MESSAGES.dealEnded],
    ['a shop in trouble', refusal(503, { code: 'UNAVAILABLE', message: MESSAGES.unavailable }), MESSAGES.unavailable]
  ] as const)('with %s says that it failed and why, and may be tried again', async ([, reply, reason]) => {
    let answer: () => Response | Promise<Response> = reply
    const page = await openDealsPage({
      send: answers({ [GENERATE]: () => answer(), [MINE]: () => Response.json([]) }),
      user: LOGGED_IN,
      still: true
    })
    await page.requestDiscount(PAK)
    expect(page.said()).toEqual([['Failed to generate discount. Please try again.', reason]])
    expect(page.own('pak')).toEqual({ state: 'failed' })
    answer = () => Response.json(drawn('pak'))
    await page.requestDiscount(PAK)
    expect(page.own('pak')?.state).toBe('settled')
  })

  test('with a session that has ended says just that', async () => {
    const page = await openDealsPage({ send: answers({ [GENERATE]: refusal(401) }), user: LOGGED_IN })
    await page.requestDiscount(PAK)
    expect(page.said()).toEqual([['Session expired', 'Please login again to continue']])
  })

  test('gives the discount of the deal that has taken the place of the one on the page', async () => {
    const next = drawn('pak', 7, { dealId: 'deal-next' })
    const page = await openDealsPage({
      send: answers({ [GENERATE]: () => Response.json(next), [MINE]: () => Response.json([]) }),
      user: LOGGED_IN,
      still: true
    })
    await page.openDiscounts()
    await page.requestDiscount(PAK)
    expect([...page.$discounts.get().keys()]).toEqual(['deal-next'])
  })

  test('is nobody else’s when the shopper logs out before the shop answers', async () => {
    let answer = (_reply: Response): void => undefined
    const page = await openDealsPage({
      send: answers({
        [GENERATE]: () => new Promise<Response>(resolve => (answer = resolve)),
        [MINE]: () => Response.json([])
      }),
      user: LOGGED_IN,
      still: true
    })
    await page.openDiscounts()
    const asked = page.requestDiscount(PAK)
    page.forgetSession()
    await page.openDiscounts()
    answer(Response.json(drawn('pak')))
    await asked
    expect(page.$discounts.get().size).toBe(0)
    expect(page.said()).toEqual([])
  })
})

describe('adding to the cart', () => {
  test('puts one pack in at the reduced price, with the deal', async () => {
    const page = await openDealsPage({ send: shop(13), user: LOGGED_IN, still: true })
    await page.openDiscounts()
    await page.requestDiscount(PAK)
    page.addDealToCart(PAK)
    expect(page.$cart.get()).toMatchObject([
      { _id: 'pak', price: 156.6, discount: 13, dealId: 'deal-pak', quantity: { value: 1 } }
    ])
    expect(page.$cart.get()[0]).not.toHaveProperty('stock')
    expect(page.said().at(-1)?.[0]).toBe('Added to cart!')
    page.addDealToCart(PAK)
    expect(page.said().at(-1)?.[0]).toBe('You cannot add more quantity of a discounted product')
  })

  test.for([
    ['without a discount', undefined, 'Please click on the product to get your discount first'],
    ['with one that an order has used', drawn('pak', 12, { used: true }), 'You have used this discount in an order.']
  ] as const)('%s is refused', async ([, mine, words]) => {
    const page = await openDealsPage({
      send: answers({ [MINE]: () => Response.json(mine ? [mine] : []) }),
      user: LOGGED_IN
    })
    await page.openDiscounts()
    page.addDealToCart(PAK)
    expect(page.said()).toEqual([[words, undefined]])
    expect(page.$cart.get()).toEqual([])
  })

  test('waits until the numbers stand', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN })
    await page.openDiscounts()
    await page.requestDiscount(PAK)
    page.addDealToCart(PAK)
    expect(page.$cart.get()).toEqual([])
  })
})
