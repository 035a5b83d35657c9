import { atom, readonlyType } from 'nanostores'
import { api } from '../api.ts'
import type { SetupState } from '../contract/admin.ts'
import type { ShopStatus } from '../contract/content.ts'
import { ShopError } from '../errors.ts'
import { createLatest } from './load-state.ts'
import { notify } from './toasts.ts'

const $state = atom<SetupState | undefined>()
const $settled = atom(false)

/** Undefined until loaded, and for people who may not set up the shop. */
export const $setup = readonlyType($state)
export const $setupSettled = readonlyType($settled)

const startRequest = createLatest()

export async function loadSetup(): Promise<void> {
  const isLatest = startRequest()
  try {
    const setup = await api('GET /admin/setup')
    if (isLatest()) $state.set(setup)
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

export function readStatus(): Promise<ShopStatus> {
  return api('GET /status')
}
