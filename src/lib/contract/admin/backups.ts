import * as z from 'zod/mini'
import { Instant } from '../values.ts'

export type BackupState = z.infer<typeof BackupState>
export const BackupState = z.object({
  lastAt: z.nullable(Instant)
})

export type CreatedBackup = z.infer<typeof CreatedBackup>
/** The backup can be downloaded once, from `GET /backups/{ticket}`. */
export const CreatedBackup = z.object({
  ticket: z.string(),
  name: z.string(),
  /** In bytes. */
  size: z.int(),
  createdAt: Instant
})

export interface AdminBackupsApi {
  'GET /admin/backups': { reply: BackupState }
  'POST /admin/backups': { reply: CreatedBackup }
}
