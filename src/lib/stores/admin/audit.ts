import { api } from '../../api.ts'
import type { AuditKind } from '../../constants.ts'
import type { AuditEntry } from '../../contract/admin.ts'

export function readAuditEntries(kinds: readonly AuditKind[], id: string): Promise<AuditEntry[]> {
  return api('GET /admin/audit', { query: { kind: kinds.join(','), id } })
}
