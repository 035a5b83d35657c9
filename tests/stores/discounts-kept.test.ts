import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answers, PRIYA } from '../support/session.ts'
import { dealOf, drawn, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/flash.ts'

const PAK = dealOf('pak')
const GENERATE = 'POST /flash-deals/generate/pak'
const MINE = 'GET /flash-deals/mine'
const KEY = `discounts:${PRIYA._id}`
const kept = (): unknown => JSON.parse(localStorage.getItem(KEY) ?? 'null')
const shop = (percent = 12) =>
  answers({ [GENERATE]: () => Response.json(drawn('pak', percent)), [MINE]: () => Response.json([]) })

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
afterEach(() => void vi.useRealTimers())

describe('what the browser keeps of a discount', () => {
  const RECORD = { dealId: 'deal-pak', productId: 'pak', discount: 12, isAnimating: false, used: false }

  test('is the product, the percentage, whether the numbers run, and when it was drawn by the shop’s clock', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN })
    await page.openDiscounts()
    expect(kept()).toBeNull()
    await page.requestDiscount(PAK)
    expect(kept()).toEqual([{ ...RECORD, isAnimating: true, timestamp: Date.parse(NOW) }])
    await vi.advanceTimersByTimeAsync(2000)
    expect(kept()).toEqual([{ ...RECORD, timestamp: Date.parse(NOW) }])
  })

  test('stands at once after a reload, settled, whatever the shop can say', async () => {
    await openDealsPage({ send: answers({}) })
    localStorage.setItem(KEY, JSON.stringify([{ ...RECORD, isAnimating: true, timestamp: 1 }]))
    const page = await openDealsPage({ send: answers({}), user: LOGGED_IN })
    const opened = page.openDiscounts()
    expect(page.own('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    await opened
    expect(page.own('pak')).toMatchObject({ state: 'settled' })
    expect(page.said()).toEqual([])
  })

  test('is shown to nobody else', async () => {
    const page = await openDealsPage({ send: answers({}), user: { token: 't', user: { ...PRIYA, _id: 'u-2' } } })
    localStorage.setItem(KEY, JSON.stringify([{ ...RECORD, timestamp: 1 }]))
    await page.openDiscounts()
    expect(page.$discounts.get().size).toBe(0)
    page.forgetSession()
    await page.openDiscounts()
    expect(page.$discounts.get().size).toBe(0)
  })

  test.for([
    '{"dealId":',
    'null',
    '7',
    '{}',
    '[null, 7, "x"]',
    JSON.stringify([{ ...RECORD, discount: 1e9, timestamp: 1 }])
  ])('stops nothing when it is damaged: %s', async stored => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN, still: true })
    localStorage.setItem(KEY, stored)
    await page.openDiscounts()
    expect(page.$discounts.get().size).toBe(0)
    await page.requestDiscount(PAK)
    expect(kept()).toMatchObject([{ discount: 12 }])
  })

  test('is what the shop says, however it was edited', async () => {
    const page = await openDealsPage({
      send: answers({ [MINE]: () => Response.json([drawn('pak', 12)]) }),
      user: LOGGED_IN
    })
    const forged = [
      { ...RECORD, discount: 99, timestamp: 1 },
      { ...RECORD, dealId: 'deal-halwa', productId: 'halwa', discount: 99, timestamp: 1 }
    ]
    localStorage.setItem(KEY, JSON.stringify(forged))
    await page.openDiscounts()
    expect(page.own('pak')).toMatchObject({ record: { discount: 12 } })
    expect(page.own('halwa')).toBeUndefined()
    expect(kept()).toMatchObject([{ discount: 12 }])
  })

  test('outlives an answer of the shop that was on its way before it was drawn', async () => {
    let answer = (_reply: Response): void => undefined
    const page = await openDealsPage({
      send: answers({
        [MINE]: () => new Promise<Response>(resolve => (answer = resolve)),
        [GENERATE]: () => Response.json(drawn('pak'))
      }),
      user: LOGGED_IN,
      still: true
    })
    const opened = page.openDiscounts()
    await page.requestDiscount(PAK)
    answer(Response.json([]))
    await opened
    expect(page.own('pak')).toMatchObject({ state: 'settled' })
  })

  test('is not missed by a browser that keeps nothing', async () => {
    const page = await openDealsPage({ send: shop(), user: LOGGED_IN, still: true })
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new Error('QuotaExceededError')
    })
    await page.openDiscounts()
    await page.requestDiscount(PAK)
    expect(page.own('pak')).toMatchObject({ state: 'settled' })
  })
})
