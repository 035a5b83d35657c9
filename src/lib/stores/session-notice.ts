import { saveDraft, readDraft } from './drafts.ts'
import { notify, type Notice } from './toasts.ts'

export type SessionNotice = Omit<Notice, 'topic'>

const DRAFT_NAME = 'notice'

/** Replaces the previous session notice, because several notices would cover the form on a phone. */
export function notifySession(notice: SessionNotice): void {
  notify({ ...notice, topic: 'session' })
}

export function saveNoticeForNextPage(notice: SessionNotice): void {
  saveDraft(DRAFT_NAME, notice)
}

export function clearSavedNotice(): void {
  saveDraft(DRAFT_NAME, undefined)
}

export function showSavedNotice(): void {
  const notice = readDraft<SessionNotice>(DRAFT_NAME)
  saveDraft(DRAFT_NAME, undefined)
  if (typeof notice?.title === 'string') notifySession(notice as SessionNotice)
}
