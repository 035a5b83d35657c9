import { api } from '../../api.ts'
import type { Dashboard } from '../../contract/admin.ts'

export function readDashboard(): Promise<Dashboard> {
  return api('GET /admin/dashboard')
}
