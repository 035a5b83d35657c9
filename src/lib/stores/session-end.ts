import { api } from '../api.ts'
import { clearPersonalData } from '../browser.ts'
import { MESSAGES } from '../messages.ts'
import { discardCart } from './cart-sync.ts'
import { removeCoupon } from './coupon.ts'
import { clearSession, notifySession } from './session.ts'

export async function logOut(): Promise<void> {
  const request = api('POST /auth/logout').catch(() => undefined)
  clearBrowserData()
  notifySession({ title: MESSAGES.loggedOut, text: MESSAGES.loggedOutText })
  await request
}

export function clearBrowserData(): void {
  clearSession()
  discardCart()
  removeCoupon()
  clearPersonalData()
}
