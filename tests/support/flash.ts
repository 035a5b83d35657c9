import { vi } from 'vitest'
import { openPage, PRIYA, type Send } from './session.ts'

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
