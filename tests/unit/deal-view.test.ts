import { describe, expect, test } from 'vitest'
import type { FlashDeal } from '#lib/contract/promotions.ts'
import { toFlashDealView, formatTimeLeft } from '#lib/catalog/deal-view.ts'
import { dealOfferText } from '#lib/messages.ts'
import { formatPriceRange } from '#lib/money.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'

const PRODUCT = { _id: 'pak', name: 'Mysore Pak', price: 180.05, image: 'pak.jpg' }
const PACK_SIZE = { value: 250, unit: 'g', type: 'weight' }
const FLASH: FlashDeal = {
  _id: 'diwali',
  productId: { ...PRODUCT, description: '', category: 'sweets', stock: 3, quantity: PACK_SIZE },
  startTime: '2026-11-21T04:00:00.000Z',
  endTime: '2026-11-21T12:30:00.000Z',
  discountPercentage: 20,
  serverTime: '2026-11-21T04:00:00.000Z'
}

describe('Flash deal view', () => {
  test.for([null, 'deal', {}, { _id: 'x' }, { _id: 'x', endTime: 'soon' }])(
    'ignores the malformed deal %o',
    value => expect(toFlashDealView(value as never)).toBeUndefined()
  )

  test('shows the range of discounts that can be drawn', () => {
    expect(dealOfferText(20)).toBe('Win 1–20% off')
    expect(dealOfferText(1)).toBe('Win 1% off')
    expect(toFlashDealView({ ...FLASH, discountPercentage: 12.5 })).toMatchObject({ percent: 12 })
  })
})

test('the prices that can be drawn are shown as a range', () => {
  expect(formatPriceRange(180, 20)).toBe('₹144.00–₹178.20')
  expect(formatPriceRange(180, 1)).toBe('₹178.20')
  expect(formatPriceRange(180, 0)).toBe('₹180.00')
})

test.for([
  [2 * DAY + 4 * HOUR + 59 * MINUTE, '2 days 4 h'],
  [DAY - 1, '1 day 0 h'],
  [DAY - SECOND, '23 h 59 min'],
  [HOUR + 5 * MINUTE, '1 h 05 min'],
  [HOUR - SECOND, '59 min 59 s'],
  [12 * MINUTE + 5 * SECOND, '12 min 05 s'],
  [1, '0 min 01 s'],
  [-DAY, '0 min 00 s']
] as const)('%i ms left is shown as %s', ([ms, text]) => {
  expect(formatTimeLeft(ms)).toBe(text)
})
