import { atom, readonlyType } from 'nanostores'
import { MESSAGES } from '../messages.ts'
import { SECOND } from '../time.ts'
import { saveDraft, readDraft } from './drafts.ts'
import { requestCode } from './session.ts'
import { notifySession } from './session-notice.ts'

export interface LoginCode {
  email: string
  /** In ms since the epoch. */
  resendAt: number
  /** In ms since the epoch. */
  expiresAt: number
  entering: boolean
}

const DRAFT_NAME = 'sent-code'
const $state = atom<LoginCode | undefined>()

/** Also stored in `sessionStorage`, because a phone may discard the tab while the mail app is open. */
export const $loginCode = readonlyType($state)

export function restoreLoginCode(): void {
  const sent = readDraft<LoginCode>(DRAFT_NAME)
  if (typeof sent?.email !== 'string' || !(Number(sent.expiresAt) > Date.now())) return
  $state.set({
    email: sent.email,
    resendAt: Number(sent.resendAt) || 0,
    expiresAt: Number(sent.expiresAt),
    entering: sent.entering === true
  })
}

export async function sendCode(email: string): Promise<void> {
  const sent = $state.get()
  if (sent?.email === email && sent.resendAt > Date.now()) return saveLoginCode({ ...sent, entering: true })
  const { resendAfter, expiresIn, message } = await requestCode(email)
  const now = Date.now()
  saveLoginCode({ email, resendAt: now + resendAfter * SECOND, expiresAt: now + expiresIn * SECOND, entering: true })
  notifySession({ title: MESSAGES.codeSentTitle, text: message })
}

export function showPasswordForm(): void {
  const sent = $state.get()
  if (sent) saveLoginCode({ ...sent, entering: false })
}

export function clearLoginCode(): void {
  saveLoginCode(undefined)
}

function saveLoginCode(sent: LoginCode | undefined): void {
  $state.set(sent)
  saveDraft(DRAFT_NAME, sent)
}
