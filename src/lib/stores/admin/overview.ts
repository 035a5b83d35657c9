import { atom, computed, readonlyType } from 'nanostores'
import { api, API_BASE } from '../../api.ts'
import { repeatWhileVisible } from '../../browser.ts'
import type { CreatedBackup, Dashboard, SetupState } from '../../contract/admin.ts'
import { ShopError } from '../../errors.ts'
import { MINUTE } from '../../time.ts'
import { createLatest, loadInto, type LoadState } from '../load-state.ts'
import { notify } from '../toasts.ts'

const $loadedDashboard = atom<LoadState<Dashboard>>({ state: 'loading' })
const $firstCount = atom<number | undefined>()

export const $dashboard = readonlyType($loadedDashboard)

export const $newOrders = computed([$loadedDashboard, $firstCount], (state, first): number =>
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
  return loadInto($loadedDashboard, read, true)
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
