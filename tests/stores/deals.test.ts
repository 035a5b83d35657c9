import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FlashDeal } from '#lib/contract/promotions.ts'
import { DAY, MINUTE, SECOND } from '#lib/time.ts'
import { register } from '../support/accounts.ts'
import {
  END,
  LOGGED_IN,
  makeDealView,
  makeFlashDeal,
  NOW,
  openDealsPage
} from '../support/deals.ts'
import { respondWith, type Send } from '../support/session.ts'
import { browserFetch, openShop } from '../support/shop.ts'

const DEALS = 'GET /flash-deals'
const DISCOUNTS = 'GET /flash-deals/mine'
const replyWithDeals = (...deals: FlashDeal[]): Send =>
  respondWith({ [DEALS]: () => Response.json(deals), [DISCOUNTS]: () => Response.json([]) })

describe('Flash deals store', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
  afterEach(() => void vi.useRealTimers())

  test.for([-3 * DAY, 400 * DAY])(
    'uses the server’s clock if the device clock is wrong by %i ms',
    async offset => {
      vi.setSystemTime(Date.parse(NOW) + offset)
      const page = await openDealsPage({ send: replyWithDeals(makeFlashDeal('pak')) })
      onTestFinished(page.runClock())
      await page.loadDeals()
      expect(page.$now.get()).toBe(Date.parse(NOW))
      await vi.advanceTimersByTimeAsync(90 * SECOND)
      expect(page.$now.get()).toBe(Date.parse(NOW) + 90 * SECOND)
    }
  )

  test('reloads deals and discounts every 60 s and when the tab becomes visible', async () => {
    const page = await openDealsPage({
      send: replyWithDeals(makeFlashDeal('pak')),
      user: LOGGED_IN
    })
    await page.restoreDiscounts()
    const callsOf = (call: string): number =>
      page.calls.filter(sentCall => sentCall === call).length
    const stop = page.watchDeals()
    await vi.advanceTimersByTimeAsync(MINUTE - 1)
    expect(callsOf(DEALS)).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect([callsOf(DEALS), callsOf(DISCOUNTS)]).toEqual([2, 2])
    page.setVisibility('hidden')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(callsOf(DEALS)).toBe(2)
    page.setVisibility('visible')
    await vi.advanceTimersByTimeAsync(0)
    expect([callsOf(DEALS), callsOf(DISCOUNTS)]).toEqual([3, 3])
    stop()
    page.setVisibility('visible')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(callsOf(DEALS)).toBe(3)
  })
})

describe('Discounts with the real API', () => {
  test('are drawn once and restored on another device', async () => {
    const shop = await openShop('sqlite', {
      products: { pak: { price: 180 } },
      deals: { 'deal-pak': { product: 'pak', percent: 20, to: Date.parse(END) - Date.parse(NOW) } }
    })
    const { token, user } = await register(shop)
    const options = { send: browserFetch(shop), user: { token, user }, reducedMotion: true }
    const phone = await openDealsPage(options)
    await phone.loadDeals()
    await phone.restoreDiscounts()
    const [deal] = phone.$flashDeals.get().deals ?? []
    expect(deal).toEqual({
      ...makeDealView('pak'),
      product: expect.objectContaining({ _id: 'pak', price: 180, stock: 'in' })
    })
    if (deal) await phone.requestDiscount(deal)
    const drawnDiscount = phone.findDiscount('pak')
    expect(drawnDiscount).toMatchObject({ state: 'settled', record: { productId: 'pak' } })

    localStorage.clear()
    const laptop = await openDealsPage(options)
    await laptop.restoreDiscounts()
    expect(laptop.findDiscount('pak')).toEqual(drawnDiscount)
  })
})
