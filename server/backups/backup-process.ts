import { systemClock } from '../platform/process/clock.ts'
import { oneLine } from '../platform/process/progress.ts'
import { makeBackup, type BackupTask } from './make-backup.ts'

// This script runs in its own process, so that a backup does not block requests.
try {
  let task = ''
  for await (const text of process.stdin.setEncoding('utf8')) task += String(text)
  const result = await makeBackup(JSON.parse(task) as BackupTask, systemClock)
  process.stdout.write(`${JSON.stringify(result)}\n`)
} catch (error) {
  process.stdout.write(`${oneLine(error)}\n`)
  process.exitCode = 1
}
