import { api } from '../../api.ts'
import type { Dashboard } from '../../contract/admin/dashboard.ts'

/** Throws ShopError. */
export function readDashboard(): Promise<Dashboard> {
  return api('GET /admin/dashboard')
}
