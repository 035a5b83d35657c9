import { api } from '../api.ts'
import type { MyData, PasswordChange } from '../contract/accounts.ts'
import type { Credential } from '../contract/values.ts'
import { MESSAGES } from '../messages.ts'
import { clearBrowserData } from './log-out.ts'
import { showProfile } from './profile.ts'
import { setSession } from './session.ts'
import { notifySession } from './session-notice.ts'

export async function changePassword(change: PasswordChange): Promise<void> {
  const session = await api('PUT /auth/password', { body: change })
  setSession(session)
  showProfile(session.user)
  notifySession({ title: MESSAGES.passwordChanged, text: MESSAGES.passwordChangedText })
}

export async function logOutEverywhere(): Promise<void> {
  const { message } = await api('POST /auth/logout-everywhere')
  clearBrowserData()
  notifySession({ title: MESSAGES.loggedOut, text: message })
}

export function readMyData(): Promise<MyData> {
  return api('GET /auth/my-data')
}

export async function deleteAccount(credential: Credential): Promise<void> {
  await api('DELETE /auth/me', { body: { proof: credential } })
  clearBrowserData()
  notifySession({ title: MESSAGES.accountDeleted })
}
