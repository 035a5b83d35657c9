import { atom, computed, readonlyType } from 'nanostores'
import { api, API_BASE } from '../../api.ts'
import { repeatWhileVisible } from '../../browser.ts'
import type { CreatedBackup, Dashboard } from '../../contract/admin.ts'
import { assertShopError } from '../../errors.ts'
import { MINUTE } from '../../time.ts'
import { createLatest, type LoadState } from '../load-state.ts'
import { loadSetup } from '../setup.ts'

const $state = atom<LoadState<Dashboard>>({ state: 'loading' })
const $firstCount = atom<number | undefined>()

export const $dashboard = readonlyType($state)

export const $newOrders = computed([$state, $firstCount], (state, first): number =>
  state.state === 'ready' && first !== undefined
    ? Math.max(0, state.value.counts.orders - first)
    : 0
)

const startRequest = createLatest()

export async function loadDashboard(): Promise<void> {
  const isLatest = startRequest()
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    const value = await api('GET /admin/dashboard')
    if (!isLatest()) return
    if ($firstCount.get() === undefined) $firstCount.set(value.counts.orders)
    $state.set({ state: 'ready', value })
  } catch (error) {
    const failure = assertShopError(error)
    if (isLatest() && $state.get().state !== 'ready')
      $state.set({ state: 'failed', error: failure })
  }
}

export function watchDashboard(): () => void {
  void loadDashboard()
  return repeatWhileVisible(MINUTE, loadDashboard)
}

/** Through a link, because the file may be larger than the memory of a phone. */
export async function downloadBackup(): Promise<CreatedBackup> {
  const backup = await api('POST /admin/backups')
  const href = `${API_BASE}/backups/${backup.ticket}`
  Object.assign(document.createElement('a'), { href, download: backup.name }).click()
  void loadSetup()
  return backup
}
