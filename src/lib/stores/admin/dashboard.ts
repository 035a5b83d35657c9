import { api } from '../../api.ts'
import type { Dashboard } from '../../contract/admin/dashboard.ts'
import type { Publishing } from '../../contract/publishing.ts'
import { ShopError } from '../../shop-error.ts'

/** Throws ShopError. */
export function readDashboard(): Promise<Dashboard> {
  return api('GET /admin/dashboard')
}

/** Undefined where nothing is published from here. Throws ShopError. */
export async function readPublishing(): Promise<Publishing | undefined> {
  try {
    return await api('GET /admin/publishing')
  } catch (error) {
    if (error instanceof ShopError && error.status === 404) return undefined
    throw error
  }
}
