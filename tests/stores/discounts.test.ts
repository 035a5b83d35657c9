import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DAY, MINUTE, SECOND } from '#lib/time.ts'
import {
  LOGGED_IN,
  makeDealView,
  makeDiscount,
  makeFlashDeal,
  NOW,
  openDealsPage
} from '../support/deals.ts'
import { PRIYA, respondWith } from '../support/session.ts'

const PAK = makeDealView('pak')
const GENERATE = 'POST /flash-deals/generate/pak'
const DISCOUNTS = 'GET /flash-deals/mine'
const SESSION_CHECK = 'GET /auth/me'
const LOGIN = '/login?return=%2Fdiscounted-products'
const KEY = `discounts:${PRIYA._id}`
const RECORD = {
  dealId: 'deal-pak',
  productId: 'pak',
  discount: 12,
  isAnimating: false,
  used: false,
  timestamp: Date.parse(NOW)
}

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW) }))
afterEach(() => void vi.useRealTimers())

const openAsVisitor = () => openDealsPage({ send: respondWith({}) })

/** Opens Priya's page of deals, where she has no discount yet and draws 12 %. */
async function open(replies: Parameters<typeof respondWith>[0] = {}, reducedMotion = true) {
  const page = await openDealsPage({
    user: LOGGED_IN,
    reducedMotion,
    send: respondWith({
      [SESSION_CHECK]: () => Response.json(PRIYA),
      [GENERATE]: () => Response.json(makeDiscount('pak')),
      [DISCOUNTS]: () => Response.json([]),
      ...replies
    })
  })
  return { ...page, titles: () => page.toastTexts().map(([title]) => title) }
}

function storeDiscounts(...records: unknown[]) {
  localStorage.setItem(KEY, JSON.stringify(records))
}

const storedDiscounts = (): unknown => JSON.parse(localStorage.getItem(KEY) ?? 'null')

describe('Drawing a discount', () => {
  test("without login shows 'Please login to get your personal discount' and redirects after 2 s", async () => {
    const page = await openAsVisitor()
    await page.requestDiscount(PAK)
    await page.requestDiscount(PAK)
    expect(page.toastTexts()).toEqual([['Please login to get your personal discount', undefined]])
    await vi.advanceTimersByTimeAsync(1999)
    expect(page.redirects()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.redirects()).toEqual([LOGIN])
    expect(page.calls).toEqual([])
  })

  test("shows 'Product information is missing' for a deal without a product", async () => {
    const page = await open()
    await page.requestDiscount({ ...PAK, product: undefined })
    page.addDealToCart({ ...PAK, product: undefined })
    expect(page.titles()).toEqual(Array(2).fill('Product information is missing'))
    expect(page.calls).toEqual([])
  })

  test('animates forty numbers, one every 50 ms, and ends with the drawn discount', async () => {
    const page = await open({}, false)
    await page.restoreDiscounts()
    const shownNumbers: number[] = []
    page.$discounts.listen(discounts => {
      const own = discounts.get(PAK.id)
      if (own?.state === 'animating') shownNumbers.push(own.shown)
    })
    const request = page.requestDiscount(PAK)
    expect(page.findDiscount('pak')).toEqual({ state: 'generating' })
    await request
    page.addDealToCart(PAK)
    expect(page.$cart.get()).toEqual([])
    expect(storedDiscounts()).toEqual([{ ...RECORD, isAnimating: true }])
    await vi.advanceTimersByTimeAsync(1999)
    expect([shownNumbers.length, page.findDiscount('pak')?.state]).toEqual([40, 'animating'])
    await vi.advanceTimersByTimeAsync(1)
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    expect(page.titles().at(-1)).toBe('Congratulations! You got a 12% discount!')
    expect(storedDiscounts()).toEqual([RECORD])
    expect(shownNumbers.every(number => number >= 1 && number <= 100)).toBe(true)
  })

  test("makes only one call, and shows 'You already have a discount for this product' afterwards", async () => {
    const page = await open()
    await page.restoreDiscounts()
    await Promise.all([page.requestDiscount(PAK), page.requestDiscount(PAK)])
    expect(page.titles()).toEqual(['Congratulations! You got a 12% discount!'])
    await page.requestDiscount(PAK)
    expect(page.titles().at(-1)).toBe('You already have a discount for this product')
    expect(page.calls).toEqual([SESSION_CHECK, DISCOUNTS, GENERATE])
  })

  test('says when orders start again if the shop has closed meanwhile', async () => {
    const message = 'We are closed for a holiday. We take orders again from Tue 24 Nov.'
    const refusal = { code: 'SHOP_CLOSED', message }
    const page = await open({ [GENERATE]: () => Response.json(refusal, { status: 409 }) })
    await page.restoreDiscounts()
    await page.requestDiscount(PAK)
    expect(page.toastTexts()).toEqual([[message, undefined]])
    expect(page.findDiscount('pak')).toBeUndefined()
  })

  test('has no effect if the shopper logs out before the reply arrives', async () => {
    let reply = (_reply: Response): void => undefined
    const page = await open({ [GENERATE]: () => new Promise(resolve => (reply = resolve)) })
    await page.restoreDiscounts()
    const request = page.requestDiscount(PAK)
    page.clearSession()
    await page.restoreDiscounts()
    reply(Response.json(makeDiscount('pak')))
    await request
    expect(page.$discounts.get().size).toBe(0)
    expect(page.toastTexts()).toEqual([])
  })
})

describe('Stored discounts', () => {
  test('are shown without animation right after a reload, even offline', async () => {
    await openAsVisitor()
    storeDiscounts({ ...RECORD, isAnimating: true })
    const page = await openDealsPage({ send: respondWith({}), user: LOGGED_IN })
    const restoring = page.restoreDiscounts()
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled', record: { discount: 12 } })
    await restoring
    expect(page.findDiscount('pak')).toMatchObject({ state: 'settled' })
    expect(page.toastTexts()).toEqual([])
  })

  test('are not shown to other users', async () => {
    const user = { token: 't', user: { ...PRIYA, _id: 'u-2' } }
    const page = await openDealsPage({ send: respondWith({}), user })
    storeDiscounts(RECORD)
    await page.restoreDiscounts()
    expect(page.$discounts.get().size).toBe(0)
    page.clearSession()
    await page.restoreDiscounts()
    expect(page.$discounts.get().size).toBe(0)
  })

  test('are replaced with the API’s values if the user has changed them', async () => {
    const page = await open({ [DISCOUNTS]: () => Response.json([makeDiscount('pak', 12)]) })
    const halwa = { ...RECORD, dealId: 'deal-halwa', productId: 'halwa', discount: 99 }
    storeDiscounts({ ...RECORD, discount: 99 }, halwa, { ...RECORD, discount: 1e9 })
    await page.restoreDiscounts()
    expect(page.findDiscount('pak')).toMatchObject({ record: { discount: 12 } })
    expect(page.findDiscount('halwa')).toBeUndefined()
    expect(storedDiscounts()).toMatchObject([{ discount: 12 }])
  })
})

describe('Adding a deal to the cart', () => {
  test.for([
    ['without a discount', [], 'Please click on the product to get your discount first'],
    [
      'with a used discount',
      [makeDiscount('pak', 12, { used: true })],
      'You have already used this discount.'
    ]
  ] as const)('fails %s', async ([, discounts, message]) => {
    const page = await open({ [DISCOUNTS]: () => Response.json(discounts) })
    await page.restoreDiscounts()
    page.addDealToCart(PAK)
    expect(page.toastTexts()).toEqual([[message, undefined]])
    expect(page.$cart.get()).toEqual([])
  })
})

describe('Flash deals', () => {
  const DEALS = 'GET /flash-deals'
  const send = respondWith({
    [DEALS]: () => Response.json([makeFlashDeal('pak')]),
    [DISCOUNTS]: () => Response.json([])
  })

  test.for([-3 * DAY, 400 * DAY])(
    'use the server’s clock if the device clock is wrong by %i ms',
    async offset => {
      vi.setSystemTime(Date.parse(NOW) + offset)
      const page = await openDealsPage({ send })
      onTestFinished(page.runClock())
      await page.loadDeals()
      await vi.advanceTimersByTimeAsync(90 * SECOND)
      expect(page.$now.get()).toBe(Date.parse(NOW) + 90 * SECOND)
    }
  )

  test('are loaded with the discounts every 60 s and when the tab becomes visible', async () => {
    const page = await openDealsPage({ send, user: LOGGED_IN })
    await page.restoreDiscounts()
    const counts = () => [DEALS, DISCOUNTS].map(line => page.calls.filter(l => l === line).length)
    const stop = page.watchDeals()
    await vi.advanceTimersByTimeAsync(MINUTE - 1)
    expect(counts()).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(counts()).toEqual([2, 2])
    page.setVisibility('hidden')
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(counts()).toEqual([2, 2])
    page.setVisibility('visible')
    await vi.advanceTimersByTimeAsync(0)
    expect(counts()).toEqual([3, 3])
    stop()
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(counts()).toEqual([3, 3])
  })
})
