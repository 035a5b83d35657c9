import { systemClock } from '../clock.ts'
import { oneLine } from '../progress.ts'
import { makeBackup, type BackupOrder } from './make-backup.ts'

// Makes what stands on stdin; what was made is the last line it says. The shop runs it beside itself, so that nobody who
// shops meanwhile waits for it.
try {
  let order = ''
  for await (const text of process.stdin.setEncoding('utf8')) order += String(text)
  const made = await makeBackup(JSON.parse(order) as BackupOrder, systemClock)
  process.stdout.write(`${JSON.stringify(made)}\n`)
} catch (error) {
  process.stdout.write(`${oneLine(error)}\n`)
  process.exitCode = 1
}
