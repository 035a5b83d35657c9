import { api, getApiBase } from '../../api.ts'
import type { CreatedBackup, BackupState } from '../../contract/admin.ts'
import { BACKUP_TIMEOUT } from '../../time.ts'

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
