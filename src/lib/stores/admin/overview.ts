import { atom, computed, readonlyType } from 'nanostores'
import { api, API_BASE } from '../../api.ts'
import { repeatWhileVisible } from '../../browser.ts'
import type { CreatedBackup, Dashboard, SetupState } from '../../contract/admin.ts'
import { assertShopError, ShopError } from '../../errors.ts'
import { MINUTE, SECOND } from '../../time.ts'
import { createLatest, loadInto, type LoadState } from '../load-state.ts'
import { notify } from '../toasts.ts'

const ORDERS_INTERVAL = 20 * SECOND

const $loadedDashboard = atom<LoadState<Dashboard>>({ state: 'loading' })
const $counts = atom<{ first: number; last: number } | undefined>()

export const $dashboard = readonlyType($loadedDashboard)

/** Since the page was opened. */
export const $newOrders = computed($counts, counts => (counts ? counts.last - counts.first : 0))

export function loadDashboard(): Promise<void> {
  return loadInto($loadedDashboard, () => api('GET /admin/dashboard'), true)
}

export function watchDashboard(): () => void {
  void loadDashboard()
  const stopListening = $newOrders.listen(() => void loadDashboard())
  const stopRepeating = repeatWhileVisible(5 * MINUTE, loadDashboard)
  return () => {
    stopListening()
    stopRepeating()
  }
}

/** Cheap for the server. Asks less often after failures. */
export function watchOrders(): () => void {
  let [failures, askAt] = [0, 0]
  const ask = async () => {
    if (Date.now() < askAt) return
    failures = (await readCount()) ? 0 : failures + 1
    askAt = failures && Date.now() + Math.min(ORDERS_INTERVAL * 2 ** failures, 5 * MINUTE) - SECOND
  }
  void ask()
  return repeatWhileVisible(ORDERS_INTERVAL, ask)
}

async function readCount() {
  const counts = $counts.get()
  const headers: Record<string, string> = counts ? { 'if-none-match': `"${counts.last}"` } : {}
  try {
    const { orders: last } = await api('GET /admin/kitchen/order-count', {}, { headers })
    $counts.set({ first: Math.min(counts?.first ?? last, last), last })
    return true
  } catch (error) {
    return assertShopError(error).replyStatus === 304
  }
}

/** Through a link, because the file may be larger than the memory of a phone. */
export async function downloadBackup(): Promise<CreatedBackup> {
  const backup = await api('POST /admin/backups')
  const href = `${API_BASE}/backups/${backup.ticket}`
  Object.assign(document.createElement('a'), { href, download: backup.name }).click()
  void loadSetup()
  return backup
}

const $loadedSetup = atom<SetupState | undefined>()
const $settled = atom(false)

/** Undefined until loaded, and for people who may not set up the shop. */
export const $setup = readonlyType($loadedSetup)
export const $setupSettled = readonlyType($settled)

const startRequest = createLatest()

export async function loadSetup(): Promise<void> {
  const isLatest = startRequest()
  try {
    const setup = await api('GET /admin/setup')
    if (isLatest()) $loadedSetup.set(setup)
  } catch (error) {
    // Nobody has asked for it.
    if (!(error instanceof ShopError)) throw error
  } finally {
    $settled.set(true)
  }
}

export async function removeDemoData(): Promise<void> {
  const { message } = await api('DELETE /admin/demo-data')
  notify({ title: message })
  await loadSetup()
}
