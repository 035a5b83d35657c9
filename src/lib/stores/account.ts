import { api } from '../api.ts'
import type { MyData, PasswordChange, Proof } from '../contract/accounts.ts'
import { MESSAGES } from '../messages.ts'
import { leave } from './log-out.ts'
import { showUser } from './profile.ts'
import { setSession } from './session.ts'
import { notifySession } from './session-notice.ts'

/** Sets a new password; the shop ends all other sessions and opens a fresh one for this browser. Throws ShopError. */
export async function changePassword(change: PasswordChange): Promise<void> {
  const opened = await api('PUT /auth/password', { body: change })
  setSession(opened)
  showUser(opened.user)
  notifySession({ title: MESSAGES.passwordChanged, text: MESSAGES.passwordChangedText })
}

/** Ends the account's sessions on all devices, this one included. Throws ShopError. */
export async function logOutEverywhere(): Promise<void> {
  const { message } = await api('POST /auth/logout-everywhere')
  leave()
  notifySession({ title: MESSAGES.loggedOut, text: message })
}

/** All that the shop keeps about the person. Throws ShopError. */
export function readMyData(): Promise<MyData> {
  return api('GET /auth/my-data')
}

/** Throws ShopError. */
export async function deleteAccount(proof: Proof): Promise<void> {
  await api('DELETE /auth/me', { body: { proof } })
  leave()
  notifySession({ title: MESSAGES.accountDeleted })
}
