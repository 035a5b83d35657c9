import { atom, readonlyType } from 'nanostores'
import { publishingKind } from '../../admin/publishing-view.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { api, configureApi } from '../../api.ts'
import type { Api } from '../../contract/index.ts'
import type { Publishing } from '../../contract/publishing.ts'
import { ShopError } from '../../shop-error.ts'
import { MINUTE, SECOND } from '../../time.ts'
import { notify } from '../toasts.ts'

const BUSY_INTERVAL = 1.5 * SECOND
const IDLE_INTERVAL = MINUTE
/** The server needs this long after a change to schedule a publish. */
const SAVE_DELAY = 0.5 * SECOND

interface State {
  publishing: Publishing | undefined
  /** This server does not publish. */
  unavailable: boolean
  /** Message of the last failed request. */
  failure: string | undefined
}

const $state = atom<State>({ publishing: undefined, unavailable: false, failure: undefined })
export const $publishing = readonlyType($state)

let watchers = 0
let latest = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Polls while the page is visible; returns a function that stops it. */
export function watchPublishing(): () => void {
  if (watchers++ === 0) {
    configureApi({ onSuccess: refreshAfterSaving })
    document.addEventListener('visibilitychange', refreshPublishing)
    refreshPublishing()
  }
  return () => {
    if (--watchers > 0) return
    configureApi({ onSuccess: () => undefined })
    document.removeEventListener('visibilitychange', refreshPublishing)
    clearTimeout(timer)
  }
}

export function refreshPublishing(): void {
  void refresh()
}

export async function publishNow(): Promise<void> {
  await api('POST /admin/publishing/retry', { body: {} })
  notify({ title: ADMIN_MESSAGES.publishStarted })
  await refresh()
}

/** Waits for a running publish first. Throws ShopError. */
export async function rollBackRelease(release: string): Promise<void> {
  const request = ++latest
  const publishing = await api('POST /admin/publishing/return', { body: { release } }, { timeout: MINUTE })
  if (request === latest) setPublishing(publishing)
  notify({ title: ADMIN_MESSAGES.publishRestored })
}

async function refresh(): Promise<void> {
  clearTimeout(timer)
  if (document.visibilityState !== 'visible') return
  const request = ++latest
  try {
    const publishing = await api('GET /admin/publishing')
    if (request === latest) setPublishing(publishing)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (request !== latest) return
    const absent = error.status === 404
    $state.set({ ...$state.get(), unavailable: absent, failure: absent ? undefined : error.message })
  }
  if (!$state.get().unavailable) scheduleRefresh(isBusy() ? BUSY_INTERVAL : IDLE_INTERVAL)
}

function refreshAfterSaving(call: keyof Api): void {
  if (!call.startsWith('GET ') && !$state.get().unavailable) scheduleRefresh(SAVE_DELAY)
}

function scheduleRefresh(ms: number): void {
  clearTimeout(timer)
  if (watchers > 0) timer = setTimeout(refreshPublishing, ms)
}

function setPublishing(publishing: Publishing): void {
  $state.set({ publishing, unavailable: false, failure: undefined })
}

function isBusy(): boolean {
  const { publishing } = $state.get()
  return publishing !== undefined && publishingKind(publishing) === 'busy'
}
