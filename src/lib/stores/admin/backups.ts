import { api, apiBase } from '../../api.ts'
import type { CreatedBackup, BackupState } from '../../contract/admin/backups.ts'
import { BACKUP_TIMEOUT } from '../../time.ts'

export function readBackups(): Promise<BackupState> {
  return api('GET /admin/backups')
}

/** The browser streams the file to disk, because it may be larger than the memory of a phone. Throws ShopError. */
export async function downloadBackup(): Promise<CreatedBackup> {
  const made = await api('POST /admin/backups', {}, { timeout: BACKUP_TIMEOUT })
  const href = `${apiBase()}/backups/${made.ticket}`
  Object.assign(document.createElement('a'), { href, download: made.name }).click()
  return made
}
