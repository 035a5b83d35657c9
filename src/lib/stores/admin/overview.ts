import { api, getApiBase } from '../../api.ts'
import type { AuditKind } from '../../constants.ts'
import type { AuditEntry, BackupState, CreatedBackup, Dashboard } from '../../contract/admin.ts'
import { BACKUP_TIMEOUT } from '../../time.ts'

export function readDashboard(): Promise<Dashboard> {
  return api('GET /admin/dashboard')
}

export function readAuditEntries(kinds: readonly AuditKind[], id: string): Promise<AuditEntry[]> {
  return api('GET /admin/audit', { query: { kind: kinds.join(','), id } })
}

export function readBackups(): Promise<BackupState> {
  return api('GET /admin/backups')
}

/** Downloads through a link, because the file may be larger than the memory of a phone. */
export async function downloadBackup(): Promise<CreatedBackup> {
  const backup = await api('POST /admin/backups', {}, { timeoutMs: BACKUP_TIMEOUT })
  const href = `${getApiBase()}/backups/${backup.ticket}`
  Object.assign(document.createElement('a'), { href, download: backup.name }).click()
  return backup
}
