import { serveTasks } from '../platform/process/worker-process.ts'
import { makeBackup, type BackupTask } from './make-backup.ts'

// A backup runs in its own process, so that it does not block requests.
serveTasks((task: BackupTask) => makeBackup(task, Date.now))
