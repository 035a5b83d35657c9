import { vi } from 'vitest'
import type { Discount, FlashDeal } from '#lib/contract/promotions.ts'
import type { DealView } from '#lib/catalog/deal-view.ts'
import { openPage, PRIYA, type Send } from './session.ts'

export const NOW = '2026-11-21T04:00:00.000Z'
const END = '2026-11-21T12:30:00.000Z'

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

interface PageOptions {
  send: Send
  user?: { token: string; user: object }
  reducedMotion?: boolean
}

export const LOGGED_IN = { token: 'priya-token', user: PRIYA }

export async function openDealsPage({ send, user, reducedMotion = false }: PageOptions) {
  vi.stubGlobal('matchMedia', () => ({ matches: reducedMotion }))
  const page = await openPage({
    send,
    path: '/discounted-products',
    ...(user && { token: user.token, user: JSON.stringify(user.user) })
  })
  const stores = {
    ...(await import('#lib/stores/deals.ts')),
    ...(await import('#lib/stores/shop-clock.ts')),
    ...(await import('#lib/stores/cart.ts')),
    ...(await import('#lib/stores/session.ts'))
  }
  stores.$shopperId.listen(() => undefined)
  return {
    ...page,
    ...stores,
    findDiscount: (id: string) => stores.$discounts.get().get(`deal-${id}`),
    setVisibility(visibilityState: 'visible' | 'hidden') {
      Object.assign(fakeDocument, { visibilityState }).dispatchEvent(new Event('visibilitychange'))
    }
  }
}

const fakePage = { visibilityState: 'visible', documentElement: { lang: 'en-IN' } }
// These tests run without a document. The stores only read these properties.
const fakeDocument: EventTarget = globalThis.document ?? Object.assign(new EventTarget(), fakePage)
vi.stubGlobal('document', fakeDocument)
