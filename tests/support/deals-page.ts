import { vi } from 'vitest'
import { openPage, PRIYA, type Send } from './session.ts'

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

// These tests run without a document. The stores only read its `visibilityState`.
const fakeDocument: EventTarget =
  globalThis.document ?? Object.assign(new EventTarget(), { visibilityState: 'visible' })
vi.stubGlobal('document', fakeDocument)
