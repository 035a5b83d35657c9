import { systemClock } from '../clock.ts'
import { oneLine } from '../progress.ts'
import { makeBackup, type BackupTask } from './make-backup.ts'

// A child process, so that a backup does not block requests.
try {
  let task = ''
  for await (const text of process.stdin.setEncoding('utf8')) task += String(text)
  const made = await makeBackup(JSON.parse(task) as BackupTask, systemClock)
  process.stdout.write(`${JSON.stringify(made)}\n`)
} catch (error) {
  process.stdout.write(`${oneLine(error)}\n`)
  process.exitCode = 1
}
