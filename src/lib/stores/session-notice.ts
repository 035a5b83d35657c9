import { keepDraft, readDraft } from './drafts.ts'
import { notify, type Notice } from './toasts.ts'

/** What is said when somebody comes or goes, or can't. */
export type SessionNotice = Omit<Notice, 'about'>

const KEY = 'notice'

/** Of such notices only the latest is shown: it is what holds, and on a phone they would cover the form. */
export function notifySession(notice: SessionNotice): void {
  notify({ ...notice, about: 'session' })
}

/** Has the next page show a notice too, since this one is about to make way for it. */
export function carry(notice: SessionNotice): void {
  keepDraft(KEY, notice)
}

/** This page stays after all. */
export function dropCarried(): void {
  keepDraft(KEY, undefined)
}

/** Shows what the page before had to say. */
export function showCarried(): void {
  const notice = readDraft<SessionNotice>(KEY)
  keepDraft(KEY, undefined)
  if (typeof notice?.title === 'string') notifySession(notice as SessionNotice)
}
