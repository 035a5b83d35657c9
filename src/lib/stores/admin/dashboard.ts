import { atom, computed, readonlyType } from 'nanostores'
import { api, API_BASE } from '../../api.ts'
import { repeatWhileVisible } from '../../browser.ts'
import type { CreatedBackup, Dashboard } from '../../contract/admin.ts'
import { MINUTE } from '../../time.ts'
import { loadInto, type LoadState } from '../load-state.ts'
import { loadSetup } from '../setup.ts'

const $state = atom<LoadState<Dashboard>>({ state: 'loading' })
const $firstCount = atom<number | undefined>()

export const $dashboard = readonlyType($state)

export const $newOrders = computed([$state, $firstCount], (state, first): number =>
  state.state === 'ready' && first !== undefined
    ? Math.max(0, state.value.counts.orders - first)
    : 0
)

export function loadDashboard(): Promise<void> {
  const read = async (): Promise<Dashboard> => {
    const dashboard = await api('GET /admin/dashboard')
    if ($firstCount.get() === undefined) $firstCount.set(dashboard.counts.orders)
    return dashboard
  }
  return loadInto($state, read, true)
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
