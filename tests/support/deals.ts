import type { Discount, FlashDeal } from '#lib/contract/promotions.ts'
import type { DealView } from '#lib/deal-view.ts'

export const NOW = '2026-11-21T04:00:00.000Z'
export const END = '2026-11-21T12:30:00.000Z'

export function makeFlashDeal(id: string, draft: Partial<FlashDeal> = {}): FlashDeal {
  return {
    _id: `deal-${id}`,
    productId: {
      _id: id,
      name: id,
      price: 180,
      image: `${id}.jpg`,
      description: 'Made this morning.',
      category: 'sweets',
      stock: 20,
      quantity: { value: 250, unit: 'g', type: 'weight' }
    },
    startTime: NOW,
    endTime: END,
    discountPercentage: 20,
    serverTime: NOW,
    ...draft
  }
}

export function makeDiscount(id: string, discount = 12, draft: Partial<Discount> = {}): Discount {
  return {
    dealId: `deal-${id}`,
    productId: id,
    discount,
    price: (180 * (100 - discount)) / 100,
    originalPrice: 180,
    endTime: END,
    used: false,
    serverTime: NOW,
    ...draft
  }
}

export function makeDealView(id: string): DealView {
  const product = {
    _id: id,
    name: id,
    price: 180,
    image: `${id}.jpg`,
    packSize: { value: 250, unit: 'g', type: 'weight' },
    stock: 'in' as const
  }
  return { id: `deal-${id}`, product, percent: 20, endTime: END, until: 'Sat, 21 Nov, 6:00 pm' }
}
