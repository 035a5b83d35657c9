import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Staff } from '#lib/contract/names.ts'
import type { KitchenDay, LabelFacts } from '#lib/contract/kitchen.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { SECOND } from '#lib/time.ts'
import { makeDayOrder, makeLabelProduct, SELLER } from '../support/orders.ts'
import { advance, expectLink, expectNotShown, expectShown } from '../support/page-input.ts'
import { errorReply, openAdminPage, type Replies } from '../support/session.ts'

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-24T05:00:00Z') }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const TICKS = 'POST /admin/kitchen/orders/o-1/ticks'
const LINES = [0, 1].flatMap(n =>
  makeDayOrder().lines.map(line => ({
    ...line,
    ...{ n, product: { id: `p-${n}`, name: `Product ${n}`, nameTamil: '' } }
  }))
)
const ORDER = makeDayOrder({ lines: LINES, note: 'Less sugar', eventAt: '2026-11-25T18:30' })

const SECOND_PACKED = { ...ORDER, lines: LINES.map(line => ({ ...line, isPacked: line.n === 1 })) }

interface Setup {
  staff?: Staff
  path?: string
  replies?: Replies
  stored?: unknown
  orders?: KitchenDay['orders']
}

async function openKitchen({ staff = 'kitchen', path = '', replies = {}, ...shown }: Setup = {}) {
  const { stored, orders = [ORDER] } = shown
  const page = { day: { day: '2026-11-24', orders } as KitchenDay }
  if (stored !== undefined) localStorage.setItem('kitchen-ticks', JSON.stringify(stored))
  const admin = await openAdminPage(
    `/admin/kitchen${path}`,
    {
      'GET /status': { testMode: false, mailNotSetUp: false, notLive: false },
      'GET /admin/setup': { items: [] },
      'GET /admin/kitchen/day': () => Response.json(page.day),
      'GET /admin/orders/day': () =>
        Response.json({
          ...page.day,
          orders: page.day.orders.map(order => ({ ...order, totalAmount: 360 }))
        }),
      ...replies
    },
    staff
  )
  const { KitchenPage } = await import('#islands/admin/kitchen/KitchenPage.tsx')
  render(<KitchenPage categories={[{ name: 'sweets', label: 'Sweets' }]} />)
  await advance(0)
  return Object.assign(page, admin)
}

const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const tick = async (name: RegExp) => {
  fireEvent.click(box(name))
  await advance(0)
}

describe('A tick', () => {
  test('that could not be saved is marked and tried again until it is saved', async () => {
    let isOnline = false
    const page = await openKitchen({
      replies: {
        [TICKS]: () => {
          if (!isOnline) throw new TypeError('fetch failed')
          return Response.json({ packed: [0] })
        }
      }
    })
    await tick(/Product 0/)
    expect(box(/Product 0/).checked).toBe(true)
    expectShown('1 tick not saved yet. Trying again…')
    expect(box(/Product 0.*Not saved yet/)).toBeTruthy()
    await advance(2 * SECOND)
    isOnline = true
    await advance(5 * SECOND)
    expectNotShown('Not saved yet')
    expect(box(/Product 0/).checked).toBe(true)
    const body = { lines: [{ n: 0, quantity: 2 }], isPacked: true }
    expect(page.bodies).toEqual([body, body, body])
    expect(localStorage.getItem('kitchen-ticks')).toBe('[]')
  })

  test('that was not saved before the page was closed is sent when it opens again', async () => {
    const stored = [{ order: 'o-1', n: 1, quantity: 2, isPacked: true }]
    const page = await openKitchen({ stored, replies: { [TICKS]: { packed: [1] } } })
    expect(page.bodies).toEqual([{ lines: [{ n: 1, quantity: 2 }], isPacked: true }])
    expect(localStorage.getItem('kitchen-ticks')).toBe('[]')
  })

  test('that the server refuses for good is taken back, and the page says so', async () => {
    const refusal = errorReply(404, { code: 'ORDER_NOT_FOUND', message: 'x' })
    const page = await openKitchen({ replies: { [TICKS]: refusal } })
    page.day = { ...page.day, orders: [] }
    await tick(/Product 0/)
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(page.toastTexts()).toEqual([
      ['A tick could not be saved. The list is up to date again.', undefined]
    ])
  })

  test('of another phone appears without a reload', async () => {
    const page = await openKitchen()
    page.day = { ...page.day, orders: [SECOND_PACKED] }
    await advance(20 * SECOND)
    expect([box(/Product 0/).checked, box(/Product 1/).checked]).toEqual([false, true])
  })
})

describe('The lists of a day', () => {
  test('show what to cook, and the stops without amounts to the kitchen', async () => {
    const page = await openKitchen()
    expect(screen.getByRole('region', { name: /^To cook/ }).textContent).toContain(
      'Product 02 × 250 g0.5 kg'
    )
    const route = screen.getByRole('region', { name: /^Route \(1\)/ })
    expect(route.textContent).toContain('Event: Wed, 25 Nov, 6:30 pm“Less sugar”')
    expect(
      within(route)
        .getByRole('link', { name: /98765 43210/ })
        .getAttribute('href')
    ).toBe('tel:+919876543210')
    expect(document.body.textContent).not.toContain('₹')
    expect(screen.queryByRole('link', { name: 'Bookings' })).toBeNull()
    const calls = page.calls.filter(call => call.includes('/admin/'))
    expect([...new Set(calls)]).toEqual([
      'GET /admin/kitchen/day',
      'GET /admin/kitchen/order-count'
    ])
  })

  test('show amounts to managers, but not of gifts, and lead to the next day and the next day with orders', async () => {
    await openKitchen({ staff: 'manager' })
    expect(screen.getByRole('region', { name: /^Route/ }).textContent).toContain('Paid ₹360.00')
    expectLink('Next day', '?date=2026-11-25')
    cleanup()
    const gift = { name: 'Lakshmi', message: 'Happy\nPongal' }
    await openKitchen({ staff: 'manager', orders: [{ ...ORDER, gift }] })
    expect(document.body.textContent).not.toContain('₹')
    const mark = 'Gift for Lakshmi: no prices in the parcelHappyPongal'
    for (const name of [/^To pack/, /^Route/])
      expect(screen.getByRole('region', { name }).textContent).toContain(mark)
    cleanup()
    const months = [
      [{ day: '2026-11-23', orders: 2, units: 2 }],
      [{ day: '2026-12-05', orders: 1, units: 4 }]
    ]
    const replies = { 'GET /admin/kitchen/bookings': () => Response.json(months.shift()) }
    await openKitchen({ staff: 'manager', orders: [], replies })
    const link = screen.getByRole('link', { name: 'Next: Sat 5 Dec, 1 order' })
    expect(link.getAttribute('href')).toBe('?date=2026-12-05')
  })
})

describe('Pack labels', () => {
  const facts: LabelFacts = {
    maker: SELLER,
    products: [
      makeLabelProduct({ id: 'p-0' }),
      makeLabelProduct({ id: 'p-1', name: 'Laddu', allergens: '' })
    ]
  }
  const replies = { 'GET /admin/kitchen/labels': facts }

  test('are made for all packs of the day that are still here, with what an adviser would add beside them', async () => {
    const sent = { ...ORDER, _id: 'o-2', status: 'delivered' as const }
    const orders = [ORDER, sent]
    await openKitchen({ staff: 'manager', path: '?view=labels', replies, orders })
    await vi.waitFor(() => screen.getByText('4 labels of 100 × 70 mm'))
    const [label] = screen.getAllByRole('article', { name: 'Label: Mysore Pak, 250 g' })
    for (const text of [
      'மைசூர் பாக்',
      'Ingredients: Gram flour, Sugar, Ghee (milk)',
      'Allergens: Contains milk',
      'Net weight 250 g',
      'MRP ₹180.00 (incl. of all taxes)',
      '₹0.72 per g',
      'Packed on 24 November 2026',
      'Best before 9 December 2026',
      'Palagaram Home Foods, 12, Kolam Street',
      '00000000012345',
      'hello@palagaram.example'
    ])
      expect(label?.textContent).toContain(text)
    const [other] = screen.getAllByRole('article', { name: 'Label: Laddu, 250 g' })
    expect(other?.textContent).not.toContain('Allergens')
    const advice = screen.getByRole('region', { name: 'An adviser would add' })
    expect(advice.textContent).toContain('Laddu, 250 g: Allergens.')
    const href = within(advice).getByRole('link').getAttribute('href')
    expect(href).toBe('/admin/products?product=p-1')
  })

  test('are made for a number of packs of one product, without any other fact', async () => {
    const maker = { ...SELLER, legalName: '', phone: '', email: '', fssai: '' }
    const bare = { nameTamil: '', ingredients: [], allergens: '', nutrition: '' }
    const products = [makeLabelProduct({ id: 'p-0', ...bare, shelfLifeDays: null })]
    const empty = { 'GET /admin/kitchen/labels': { maker, products } }
    await openKitchen({ path: '?view=labels', replies: empty })
    await vi.waitFor(() => screen.getByText('2 labels of 100 × 70 mm'))
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
    type('Packs', 'p-0')
    type('Number of labels', '5')
    expectShown('5 labels of 100 × 70 mm')
    expect(screen.getAllByRole('article')[0]?.textContent).toBe(
      'Mysore PakNet weight 250 gMRP ₹180.00 (incl. of all taxes)' +
        'Unit sale price ₹0.72 per g (₹72.00 / 100 g)Packed on 24 November 2026Batch 20261124' +
        'Made and packed by Palagaram, 12, Kolam Street, Thillai Nagar, ' +
        'Tiruchirappalli 620018, Tamil Nadu, India'
    )
    const advice = screen.getByRole('region', { name: 'An adviser would add' })
    expect(advice.textContent).toContain('All labels: FSSAI number. Ask the owner.')
  })

  test('are printed in small letters where their text is long, and the shop says so', async () => {
    const height = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(1)
    await openKitchen({ path: '?view=labels', replies })
    const advice = await vi.waitFor(() => screen.getByRole('region', { name: /^An adviser/ }))
    expect(advice.textContent).toContain('Mysore Pak, 250 g: The text is too long')
    expectShown('4 labels of 100 × 70 mm')
    height.mockRestore()
    fireEvent.change(screen.getByLabelText('Batch'), { target: { value: '7' } })
    expect(advice.textContent).not.toContain('The text is too long')
  })
})

describe('The bookings of a month', () => {
  const calendar = { ...EMPTY_SETTINGS.calendar, ordersPerDay: 20, closedDates: ['2026-11-27'] }
  const saved = (version: number) => ({ value: calendar, version, savedAt: null, savedBy: '' })
  const replies = {
    'GET /admin/kitchen/bookings': [{ day: '2026-11-26', orders: 20, units: 61 }],
    'GET /admin/settings/calendar': saved(3),
    'GET /admin/settings/orders': { ...saved(1), value: EMPTY_SETTINGS.orders }
  }

  test('say which days are full or closed, and close days as quickly as they are pressed', async () => {
    const page = await openKitchen({
      staff: 'manager',
      path: '?view=month&month=2026-11',
      replies: {
        ...replies,
        'PUT /admin/settings/calendar': () => {
          const { value, version } = page.bodies.at(-1) as { value: object; version: number }
          return Response.json({ ...saved(version + 1), value })
        }
      }
    })
    await vi.waitFor(() => screen.getByText('20 of 20 orders', { exact: false }))
    const dayText = (day: string) =>
      screen.getByRole('link', { name: day }).closest('li')?.textContent ?? ''
    expect(dayText('Thu 26 Nov')).toContain('20 of 20 orders61 packsFull')
    expect(dayText('Fri 27 Nov')).toContain('Closed')
    for (const day of ['Saturday, 28 November', 'Sunday, 29 November'])
      fireEvent.click(screen.getByRole('button', { name: `Close ${day}` }))
    await advance(0)
    const closedDates = ['2026-11-27', '2026-11-28', '2026-11-29']
    expect(page.bodies).toEqual([
      { value: { ...calendar, closedDates: closedDates.slice(0, 2) }, version: 3 },
      { value: { ...calendar, closedDates }, version: 4 }
    ])
  })
})
