import { useState } from 'react'
import { ADMIN_MESSAGES, backupSavedText } from '#lib/admin/messages.ts'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { downloadBackup, readBackups } from '#lib/stores/admin/requests.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { useLoad } from '../../ui/hooks.ts'

type DownloadState =
  { kind: 'idle' } | { kind: 'downloading' } | { kind: 'done'; message: string } | { kind: 'failed'; message: string }

export function Backup() {
  const [result, reloadBackups] = useLoad('backups', readBackups)
  const [state, setState] = useState<DownloadState>({ kind: 'idle' })

  async function download(): Promise<void> {
    if (state.kind === 'downloading') return
    setState({ kind: 'downloading' })
    try {
      const { size } = await downloadBackup()
      setState({ kind: 'done', message: backupSavedText(size) })
      await reloadBackups()
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      setState({ kind: 'failed', message: toErrorText(error, ADMIN_MESSAGES.backupFailed) })
    }
  }

  const lastBackupAt = result.state === 'ready' ? result.value.lastAt : undefined
  return (
    <section aria-labelledby="backup" className="card p-4">
      <h2 id="backup" className="text-lg">
        Backup
      </h2>
      <div className="mt-2 grid gap-2">
        {lastBackupAt === null && <p>{ADMIN_MESSAGES.backupNone}</p>}
        {lastBackupAt && (
          <p>
            Last backup: <time dateTime={lastBackupAt}>{formatDayAndTime(lastBackupAt)}</time>
          </p>
        )}
        <p className="text-ink/80">{ADMIN_MESSAGES.backupContents}</p>
        <p>
          <Button label="Download backup" busy={state.kind === 'downloading'} onClick={() => void download()} />
        </p>
        <p role="status">
          {state.kind === 'downloading' && ADMIN_MESSAGES.backupInProgress}
          {state.kind === 'done' && state.message}
        </p>
        {state.kind === 'failed' && (
          <p role="alert" className="font-semibold text-chilli">
            {state.message}
          </p>
        )}
      </div>
    </section>
  )
}
