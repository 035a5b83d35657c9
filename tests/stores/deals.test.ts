import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FlashDeal } from '#lib/contract/deals.ts'
import { MESSAGES } from '#lib/messages.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { register } from '../support/accounts.ts'
import { dealOf, END, flashDeal, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/flash.ts'
import { answers, type Send } from '../support/session.ts'
import { answersOf, openShop } from '../support/shop.ts'

const DEALS = 'GET /flash-deals'
const MINE = 'GET /flash-deals/mine'
const shopWith = (...deals: FlashDeal[]): Send =>
  answers({ [DEALS]: () => Response.json(deals), [MINE]: () => Response.json([]) })
const offline = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

describe('the deals', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
  afterEach(() => void vi.useRealTimers())

  test('are the shop’s, once it has answered', async () => {
    const page = await openDealsPage({ send: shopWith(flashDeal('pak'), flashDeal('laddu')) })
    expect(page.$flashDeals.get()).toEqual({ deals: undefined, failure: undefined })
    await page.loadDeals()
    expect(page.$flashDeals.get().deals?.map(({ id }) => id)).toEqual(['deal-pak', 'deal-laddu'])
  })

  test.for([-3 * DAY, -HOUR, HOUR, 400 * DAY])(
    'end by the shop’s clock, with a phone that is %i ms off',
    async ahead => {
      vi.setSystemTime(Date.parse(NOW) + ahead)
      const page = await openDealsPage({ send: shopWith(flashDeal('pak')) })
      onTestFinished(page.runClock())
      await page.loadDeals()
      expect(page.$now.get()).toBe(Date.parse(NOW))
      await vi.advanceTimersByTimeAsync(90 * SECOND)
      expect(page.$now.get()).toBe(Date.parse(NOW) + 90 * SECOND)
    }
  )

  test('are asked for each 60 s, and when the visitor comes back, with the discounts', async () => {
    const page = await openDealsPage({ send: shopWith(flashDeal('pak')), user: LOGGED_IN })
    await page.openDiscounts()
    const asked = (call: string): number => page.calls.filter(made => made === call).length
    const stop = page.watchDeals()
    await vi.advanceTimersByTimeAsync(MINUTE - 1)
    expect(asked(DEALS)).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect([asked(DEALS), asked(MINE)]).toEqual([2, 2])
    page.turn('hidden')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(asked(DEALS)).toBe(2)
    page.turn('visible')
    await vi.advanceTimersByTimeAsync(0)
    expect([asked(DEALS), asked(MINE)]).toEqual([3, 3])
    stop()
    page.turn('visible')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(asked(DEALS)).toBe(3)
  })

  test.for([
    ['no network', offline, MESSAGES.offline],
    ['a captive portal', () => new Response('<html>Welcome to the station</html>'), MESSAGES.internal],
    ['something that is no list', () => Response.json({ deals: [] }), MESSAGES.internal]
  ] as const)('stay as they were with %s, which is said', async ([, reply, reason]) => {
    let answer: () => Response | Promise<Response> = () => Response.json([flashDeal('pak')])
    const page = await openDealsPage({ send: answers({ [DEALS]: () => answer() }) })
    await page.loadDeals()
    answer = reply
    await page.loadDeals()
    expect(page.$flashDeals.get()).toMatchObject({ deals: [{ id: 'deal-pak' }], failure: reason })
    answer = () => Response.json([])
    await page.loadDeals()
    expect(page.$flashDeals.get()).toEqual({ deals: [], failure: undefined })
  })

  test('end by the phone’s own clock when the shop was never reached', async () => {
    const page = await openDealsPage({ send: answers({ [DEALS]: offline }) })
    await page.loadDeals()
    expect(page.$now.get()).toBe(Date.parse(NOW))
  })

  test('are those of the latest answer, in whatever order answers come', async () => {
    const waiting: ((reply: Response) => void)[] = []
    const page = await openDealsPage({
      send: answers({ [DEALS]: () => new Promise<Response>(resolve => waiting.push(resolve)) })
    })
    const loads = [page.loadDeals(), page.loadDeals()]
    waiting[1]?.(Response.json([flashDeal('pak')]))
    waiting[0]?.(Response.json([]))
    await Promise.all(loads)
    expect(page.$flashDeals.get().deals).toHaveLength(1)
  })

  test('are what can be understood of an answer', async () => {
    const page = await openDealsPage({ send: shopWith(null as never, { _id: 'x' } as never, flashDeal('pak')) })
    await page.loadDeals()
    expect(page.$flashDeals.get().deals?.map(({ id }) => id)).toEqual(['deal-pak'])
  })

  test('that end while somebody looks are named, once', async () => {
    const soon = new Date(Date.parse(NOW) + 30 * SECOND).toISOString()
    const page = await openDealsPage({ send: shopWith(flashDeal('pak', { endTime: soon }), flashDeal('laddu')) })
    onTestFinished(page.watchDeals())
    await vi.advanceTimersByTimeAsync(29 * SECOND)
    expect(page.said()).toEqual([])
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    expect(page.said()).toEqual([['The deal on pak has ended.', undefined]])
  })

  test('tell the cart what is left', async () => {
    const deal = flashDeal('pak')
    const page = await openDealsPage({ send: shopWith({ ...deal, productId: { ...deal.productId, stock: 0 } }) })
    await page.loadDeals()
    page.addToCart({ _id: 'pak', name: 'pak', price: 180, image: 'pak.jpg' })
    expect(page.$cart.get()).toEqual([])
  })
})

describe('with the real shop', () => {
  test('a discount is drawn once and found again on another device', async () => {
    const shop = await openShop('sqlite', {
      products: { pak: { price: 180 } },
      deals: { 'deal-pak': { product: 'pak', percent: 20, to: Date.parse(END) - Date.parse(NOW) } }
    })
    const { token, user } = await register(shop)
    const visit = { send: answersOf(shop), user: { token, user }, still: true }
    const phone = await openDealsPage(visit)
    await phone.loadDeals()
    await phone.openDiscounts()
    const [deal] = phone.$flashDeals.get().deals ?? []
    expect(deal).toEqual({
      ...dealOf('pak'),
      product: expect.objectContaining({ _id: 'pak', price: 180, stock: 'in' })
    })
    if (deal) await phone.requestDiscount(deal)
    const won = phone.own('pak')
    expect(won).toMatchObject({ state: 'settled', record: { productId: 'pak' } })

    localStorage.clear()
    const laptop = await openDealsPage(visit)
    await laptop.openDiscounts()
    expect(laptop.own('pak')).toEqual(won)
  })
})
