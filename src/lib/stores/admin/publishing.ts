import { atom, readonlyType } from 'nanostores'
import { websiteText } from '../../admin/messages.ts'
import { api, configureApi } from '../../api.ts'
import { onVisible } from '../../browser.ts'
import type { Publishing } from '../../contract/admin.ts'
import { plural, t } from '../../contract/texts.ts'
import { ShopError } from '../../errors.ts'
import { MINUTE, SECOND } from '../../time.ts'
import { createLatest } from '../load-state.ts'
import { notify } from '../toasts.ts'

const BUSY_INTERVAL = 1.5 * SECOND
const IDLE_INTERVAL = MINUTE
/** The server needs this time to schedule a publish. */
const SAVE_DELAY = 0.5 * SECOND

interface State {
  publishing: Publishing | undefined
  isUnsupported: boolean
  failure: string | undefined
}

const $state = atom<State>({ publishing: undefined, isUnsupported: false, failure: undefined })
export const $publishing = readonlyType($state)

let isWatching = false
const startRequest = createLatest()
let timer: ReturnType<typeof setTimeout> | undefined

export function watchPublishing(): () => void {
  isWatching = true
  configureApi({
    onSuccess: call => {
      if (!call.startsWith('GET ') && !$state.get().isUnsupported) scheduleRefresh(SAVE_DELAY)
    }
  })
  const stopWatching = onVisible(refreshPublishing)
  refreshPublishing()
  return () => {
    isWatching = false
    configureApi({ onSuccess: () => undefined })
    stopWatching()
    clearTimeout(timer)
  }
}

export function refreshPublishing(): void {
  void refresh()
}

export async function publishNow(): Promise<void> {
  await api('POST /admin/publishing/retry', { body: {} })
  notify({ title: t('Update started') })
  await refresh()
}

async function refresh() {
  clearTimeout(timer)
  if (document.visibilityState !== 'visible') return
  const isLatest = startRequest()
  try {
    const publishing = await api('GET /admin/publishing')
    if (isLatest()) $state.set({ publishing, isUnsupported: false, failure: undefined })
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (!isLatest()) return
    const isUnsupported = error.replyStatus === 404
    $state.set({
      ...$state.get(),
      isUnsupported,
      failure: isUnsupported ? undefined : error.message
    })
  }
  const { isUnsupported, publishing } = $state.get()
  const isBusy = publishing !== undefined && toPublishingKind(publishing) === 'busy'
  if (!isUnsupported) scheduleRefresh(isBusy ? BUSY_INTERVAL : IDLE_INTERVAL)
}

function scheduleRefresh(ms: number) {
  clearTimeout(timer)
  if (isWatching) timer = setTimeout(refreshPublishing, ms)
}

/** `partial`: the live release lacks the newest version of some pages. */
export type PublishingKind = 'busy' | 'failed' | 'partial' | 'live' | 'none'

export function toPublishingKind({
  waiting,
  rendering,
  failed,
  live,
  failedPages
}: Publishing): PublishingKind {
  if (waiting ?? rendering) return 'busy'
  if (failed) return 'failed'
  if (failedPages.length > 0) return 'partial'
  return live ? 'live' : 'none'
}

export function formatPublishing(publishing: Publishing): string {
  const words: Readonly<Record<PublishingKind, string>> = {
    busy: t('updating…'),
    failed: t('not up to date'),
    partial: plural(publishing.failedPages.length, '{count} page failed', '{count} pages failed'),
    live: t('up to date'),
    none: t('not ready yet')
  }
  return websiteText(words[toPublishingKind(publishing)])
}

export function formatProgress({ waiting, rendering, progress }: Publishing): string | undefined {
  if (rendering) {
    return progress ? t('Updating pages: {rendered} of {of}', progress) : t('Preparing the pages…')
  }
  return waiting && t('Waiting a moment for more changes…')
}
