import { api } from '../api.ts'
import { clearPersonalData } from '../browser.ts'
import { MESSAGES } from '../messages.ts'
import { toLoginPath } from '../paths.ts'
import { SESSION_EXPIRED_REDIRECT_DELAY } from '../time.ts'
import { discardCart } from './cart-sync.ts'
import { removeCoupon } from './coupon.ts'
import { $token, clearSession, notifySession, saveNoticeForNextPage } from './session.ts'

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

/**
 * Shows 'Session expired', then opens the login page. Stays on the page if there is a new session
 * by then.
 */
export function redirectToLogin(onEnd: () => void): void {
  const { pathname, search, hash } = location
  const notice = {
    title: MESSAGES.sessionExpired,
    text: MESSAGES.loginAgain,
    kind: 'destructive'
  } as const
  notifySession(notice)
  setTimeout(() => {
    onEnd()
    if ($token.get() !== undefined) return
    saveNoticeForNextPage(notice)
    location.assign(toLoginPath(`${pathname}${search}${hash}`))
  }, SESSION_EXPIRED_REDIRECT_DELAY)
}
