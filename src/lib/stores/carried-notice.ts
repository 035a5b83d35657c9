import { keepDraft, readDraft } from './drafts.ts'
import { notify, type Notice } from './toasts.ts'

const KEY = 'notice'

/** Has the next page show a notice too, since this one is about to make way for it. */
export function carry(notice: Notice): void {
  keepDraft(KEY, notice)
}

/** Shows what the page before had to say. */
export function showCarried(): void {
  const notice = readDraft<Notice>(KEY)
  keepDraft(KEY, undefined)
  if (typeof notice?.title === 'string') notify(notice as Notice)
}
