import { atom, readonlyType } from 'nanostores'
import { MESSAGES } from '../messages.ts'
import { SECOND } from '../time.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { requestCode } from './session.ts'
import { notifySession } from './session-notice.ts'

export interface SentCode {
  /** Where it was sent. */
  email: string
  /** When another one may be asked for, and when this one ends; ms since the epoch. */
  resendAt: number
  expiresAt: number
  /** Whether the login page asks for it, rather than for a password. */
  entering: boolean
}

const KEY = 'sent-code'
const $state = atom<SentCode | undefined>()

/** The code that was asked for in this tab; phones drop the tab while the mail is open. */
export const $sentCode = readonlyType($state)

/** Reads what an earlier life of this tab has asked for. */
export function restoreSentCode(): void {
  const sent = readDraft<SentCode>(KEY)
  if (typeof sent?.email !== 'string' || !(Number(sent.expiresAt) > Date.now())) return
  $state.set({
    email: sent.email,
    resendAt: Number(sent.resendAt) || 0,
    expiresAt: Number(sent.expiresAt),
    entering: sent.entering === true
  })
}

/**
 * Has a code sent, unless one is on its way to the address that can't be asked for again yet. Throws ShopError, having
 * said so.
 */
export async function sendCode(email: string): Promise<void> {
  const sent = $state.get()
  if (sent?.email === email && sent.resendAt > Date.now()) return keep({ ...sent, entering: true })
  const { resendAfter, expiresIn, message } = await requestCode(email)
  const now = Date.now()
  keep({ email, resendAt: now + resendAfter * SECOND, expiresAt: now + expiresIn * SECOND, entering: true })
  notifySession({ title: MESSAGES.codeSentTitle, text: message })
}

/** Back to the password; the code that was sent can still be typed. */
export function leaveCode(): void {
  const sent = $state.get()
  if (sent) keep({ ...sent, entering: false })
}

/** It was used. */
export function forgetCode(): void {
  keep(undefined)
}

function keep(sent: SentCode | undefined): void {
  $state.set(sent)
  keepDraft(KEY, sent)
}
