import { atom, readonlyType } from 'nanostores'
import { publishingKind } from '../../admin/publishing-view.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { api, configureApi } from '../../api.ts'
import type { Api } from '../../contract/index.ts'
import type { Publishing } from '../../contract/publishing.ts'
import { ShopError } from '../../shop-error.ts'
import { MINUTE, SECOND } from '../../time.ts'
import { notify } from '../toasts.ts'

/** How often the shop is asked while something is under way, and else. */
const BUSY_INTERVAL = 1.5 * SECOND
const IDLE_INTERVAL = MINUTE
/** So long after something was saved the shop knows whether it has to be published. */
const SAVE_DELAY = 0.5 * SECOND

interface State {
  /** Undefined until the shop has answered. */
  publishing: Publishing | undefined
  /** Nothing is published from here. */
  unavailable: boolean
  /** Why the shop could not be asked the last time, in words. */
  failure: string | undefined
}

const $state = atom<State>({ publishing: undefined, unavailable: false, failure: undefined })
export const $publishing = readonlyType($state)

let watchers = 0
let latest = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Keeps the state up to date while somebody looks at the page; answers how to stop. */
export function watchPublishing(): () => void {
  if (watchers++ === 0) {
    configureApi({ onDone: refreshAfterSaving })
    document.addEventListener('visibilitychange', refreshPublishing)
    refreshPublishing()
  }
  return () => {
    if (--watchers > 0) return
    configureApi({ onDone: () => undefined })
    document.removeEventListener('visibilitychange', refreshPublishing)
    clearTimeout(timer)
  }
}

export function refreshPublishing(): void {
  void refresh()
}

/** Has what visitors don't see yet published now. Throws ShopError. */
export async function publishNow(): Promise<void> {
  await api('POST /admin/publishing/retry', { body: {} })
  notify({ title: ADMIN_MESSAGES.publishStarted })
  await refresh()
}

/** Makes visitors see a release that is kept, when a publish that is under way is done. Throws ShopError. */
export async function restoreRelease(release: string): Promise<void> {
  const turn = ++latest
  const publishing = await api('POST /admin/publishing/return', { body: { release } }, { timeout: MINUTE })
  if (turn === latest) setPublishing(publishing)
  notify({ title: ADMIN_MESSAGES.publishRestored })
}

async function refresh(): Promise<void> {
  clearTimeout(timer)
  if (document.visibilityState !== 'visible') return
  const turn = ++latest
  try {
    const publishing = await api('GET /admin/publishing')
    if (turn === latest) setPublishing(publishing)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    if (turn !== latest) return
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
