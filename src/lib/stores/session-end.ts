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
 * The login page shows the notice again. Apart from the session store, which loads this file only when needed.
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
