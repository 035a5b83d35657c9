import { saveDraft } from '../browser.ts'
import { MESSAGES } from '../messages.ts'
import { toLoginPath } from '../paths.ts'
import { SESSION_EXPIRED_REDIRECT_DELAY } from '../time.ts'
import { notify } from './toasts.ts'

const notice = {
  title: MESSAGES.sessionExpired,
  text: MESSAGES.loginAgain,
  kind: 'destructive'
} as const

/**
 * Shows the notice, then opens the login page, which shows it again. Stays on the page if `mayStay`
 * finds a new session by then. It is a parameter because the session store loads this file, but
 * only when a session ends: scripts of the shop's pages are small.
 */
export function redirectToLogin(mayStay: () => boolean): void {
  const { pathname, search, hash } = location
  notify({ ...notice, topic: 'session' })
  setTimeout(() => {
    if (mayStay()) return
    saveDraft('notice', notice)
    location.assign(toLoginPath(`${pathname}${search}${hash}`))
  }, SESSION_EXPIRED_REDIRECT_DELAY)
}
