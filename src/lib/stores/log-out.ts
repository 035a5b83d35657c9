import { api } from '../api.ts'
import { MESSAGES } from '../messages.ts'
import { clearCartSilently } from './cart.ts'
import { clearSyncedCart } from './synced-cart.ts'
import { clearDrafts } from './drafts.ts'
import { notifySession } from './session-notice.ts'
import { clearSession } from './stored-session.ts'

export async function logOut(): Promise<void> {
  const request = api('POST /auth/logout').catch(() => undefined)
  clearBrowserData()
  notifySession({ title: MESSAGES.loggedOut, text: MESSAGES.loggedOutText })
  await request
}

export function clearBrowserData(): void {
  clearSession()
  clearCartSilently()
  clearSyncedCart()
  clearDrafts()
}
