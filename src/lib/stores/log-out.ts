import { api } from '../api.ts'
import { MESSAGES } from '../messages.ts'
import { forgetCart } from './cart.ts'
import { forgetAgreed } from './cart-agreed.ts'
import { forgetDrafts } from './drafts.ts'
import { notifySession } from './session-notice.ts'
import { forgetSession } from './stored-session.ts'

/** Ends the session, with all that the browser keeps of it, at once and whatever the shop answers. */
export async function logOut(): Promise<void> {
  const told = api('POST /auth/logout').catch(() => undefined)
  leave()
  notifySession({ title: MESSAGES.loggedOut, text: MESSAGES.loggedOutText })
  await told
}

/** Removes the session, the cart and what was typed from this browser. */
export function leave(): void {
  forgetSession()
  forgetCart()
  forgetAgreed()
  forgetDrafts()
}
