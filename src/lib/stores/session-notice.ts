import { saveDraft, readDraft } from './drafts.ts'
import { notify, type Notice } from './toasts.ts'

export type SessionNotice = Omit<Notice, 'about'>

const KEY = 'notice'

/** Replaces the previous session notice: on phones several would cover the form. */
export function notifySession(notice: SessionNotice): void {
  notify({ ...notice, about: 'session' })
}

export function saveNoticeForNextPage(notice: SessionNotice): void {
  saveDraft(KEY, notice)
}

export function clearSavedNotice(): void {
  saveDraft(KEY, undefined)
}

export function showSavedNotice(): void {
  const notice = readDraft<SessionNotice>(KEY)
  saveDraft(KEY, undefined)
  if (typeof notice?.title === 'string') notifySession(notice as SessionNotice)
}
