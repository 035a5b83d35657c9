import { vi } from 'vitest'
import type { Discount, FlashDeal } from '#lib/contract/deals.ts'
import type { DealView } from '#lib/deal-view.ts'
import { openPage, PRIYA, type Send } from './session.ts'

export const NOW = '2026-11-21T04:00:00.000Z'
export const END = '2026-11-21T12:30:00.000Z'

/** A deal as the shop tells of it. */
export function flashDeal(id: string, draft: Partial<FlashDeal> = {}): FlashDeal {
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

/** What a shopper has drawn. */
export function drawn(id: string, discount = 12, draft: Partial<Discount> = {}): Discount {
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

/** The same deal as a page shows it. */
export function dealOf(id: string, draft: Partial<DealView> = {}): DealView {
  const product = {
    _id: id,
    name: id,
    price: 180,
    image: `${id}.jpg`,
    packSize: { value: 250, unit: 'g', type: 'weight' },
    stock: 'in' as const
  }
  return { id: `deal-${id}`, product, percent: 20, endTime: END, until: 'Sat, 21 Nov, 6:00 pm', ...draft }
}

interface Visit {
  send: Send
  /** Who is logged in; nobody unless given. */
  user?: { token: string; user: object }
  /** Whether the visitor wants things to stand still. */
  still?: boolean
}

export const LOGGED_IN = { token: 'priya-token', user: PRIYA }

/** The stores of the Flash Deals page, opened anew. */
export async function openDealsPage({ send, user, still = false }: Visit) {
  vi.stubGlobal('matchMedia', () => ({ matches: still }))
  const page = await openPage({
    send,
    at: '/discounted-products',
    ...(user && { token: user.token, user: JSON.stringify(user.user) })
  })
  const stores = {
    ...(await import('#lib/stores/discounts.ts')),
    ...(await import('#lib/stores/deals.ts')),
    ...(await import('#lib/stores/shop-clock.ts')),
    ...(await import('#lib/stores/cart.ts')),
    ...(await import('#lib/stores/stored-session.ts'))
  }
  stores.$shopper.listen(() => undefined)
  return {
    ...page,
    ...stores,
    own: (id: string) => stores.$discounts.get().get(`deal-${id}`),
    /** The visitor turns away from the tab, or back to it. */
    turn(visibilityState: 'visible' | 'hidden') {
      Object.assign(tab, { visibilityState }).dispatchEvent(new Event('visibilitychange'))
    }
  }
}

// Stores are tested without a document; they only ask it whether somebody looks.
const tab: EventTarget = globalThis.document ?? Object.assign(new EventTarget(), { visibilityState: 'visible' })
vi.stubGlobal('document', tab)
