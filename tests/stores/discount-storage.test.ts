import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { respondWith, PRIYA } from '../support/session.ts'
import { makeDealView, makeDiscount, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/deals-page.ts'

const PAK = makeDealView('pak')
const GENERATE = 'POST /flash-deals/generate/pak'
const DISCOUNTS = 'GET /flash-deals/mine'
const KEY = `discounts:${PRIYA._id}`
const storedDiscounts = (): unknown => JSON.parse(localStorage.getItem(KEY) ?? 'null')
const replyWithDiscount = (percent = 12) =>
  respondWith({
    [GENERATE]: () => Response.json(makeDiscount('pak', percent)),
    [DISCOUNTS]: () => Response.json([])
  })

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
afterEach(() => void vi.useRealTimers())

describe('Stored discounts', () => {
  const RECORD = {
    dealId: 'deal-pak',
    productId: 'pak',
    discount: 12,
    isAnimating: false,
    used: false
  }

  test('contain product, percentage, animation state and server timestamp', async () => {
    const page = await openDealsPage({ send: replyWithDiscount(), user: LOGGED_IN })
    await page.restoreDiscounts()
    expect(storedDiscounts()).toBeNull()
    await page.requestDiscount(PAK)
    expect(storedDiscounts()).toEqual([
      { ...RECORD, isAnimating: true, timestamp: Date.parse(NOW) }
    ])
    await vi.advanceTimersByTimeAsync(2000)
    expect(storedDiscounts()).toEqual([{ ...RECORD, timestamp: Date.parse(NOW) }])
  })

  test('are shown without animation right after a reload, even offline', async () => {
    await openDealsPage({ send: respondWith({}) })
    localStorage.setItem(KEY, JSON.stringify([{ ...RECORD, isAnimating: true, timestamp: 1 }]))
    const page = await openDealsPage({ send: respondWith({}), user: LOGGED_IN })
    const restoring = page.restoreDiscounts()
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    await restoring
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled' })
    expect(page.toastTexts()).toEqual([])
  })

  test('are not shown to other users', async () => {
    const page = await openDealsPage({
      send: respondWith({}),
      user: { token: 't', user: { ...PRIYA, _id: 'u-2' } }
    })
    localStorage.setItem(KEY, JSON.stringify([{ ...RECORD, timestamp: 1 }]))
    await page.restoreDiscounts()
    expect(page.$discounts.get().size).toBe(0)
    page.clearSession()
    await page.restoreDiscounts()
    expect(page.$discounts.get().size).toBe(0)
  })

  test.for([
    '{"dealId":',
    'null',
    '7',
    '{}',
    '[null, 7, "x"]',
    JSON.stringify([{ ...RECORD, discount: 1e9, timestamp: 1 }])
  ])('are ignored if they are damaged: %s', async stored => {
    const page = await openDealsPage({
      send: replyWithDiscount(),
      user: LOGGED_IN,
      reducedMotion: true
    })
    localStorage.setItem(KEY, stored)
    await page.restoreDiscounts()
    expect(page.$discounts.get().size).toBe(0)
    await page.requestDiscount(PAK)
    expect(storedDiscounts()).toMatchObject([{ discount: 12 }])
  })

  test('are replaced with the API’s values if the user has changed them', async () => {
    const page = await openDealsPage({
      send: respondWith({ [DISCOUNTS]: () => Response.json([makeDiscount('pak', 12)]) }),
      user: LOGGED_IN
    })
    const forged = [
      { ...RECORD, discount: 99, timestamp: 1 },
      { ...RECORD, dealId: 'deal-halwa', productId: 'halwa', discount: 99, timestamp: 1 }
    ]
    localStorage.setItem(KEY, JSON.stringify(forged))
    await page.restoreDiscounts()
    expect(page.findDiscount('pak')).toMatchObject({ record: { discount: 12 } })
    expect(page.findDiscount('halwa')).toBeUndefined()
    expect(storedDiscounts()).toMatchObject([{ discount: 12 }])
  })

  test('are not removed by a list that was requested before the discount was drawn', async () => {
    const requests: ((reply: Response) => void)[] = []
    const page = await openDealsPage({
      send: respondWith({
        [DISCOUNTS]: () => new Promise<Response>(resolve => requests.push(resolve)),
        [GENERATE]: () => Response.json(makeDiscount('pak'))
      }),
      user: LOGGED_IN,
      reducedMotion: true
    })
    const restoring = page.restoreDiscounts()
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    await page.requestDiscount(PAK)
    requests[0]?.(Response.json([]))
    await restoring
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled' })
  })

  test('are optional: a shopper can draw a discount even if the browser cannot store it', async () => {
    const page = await openDealsPage({
      send: replyWithDiscount(),
      user: LOGGED_IN,
      reducedMotion: true
    })
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new Error('QuotaExceededError')
    })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled' })
  })
})
