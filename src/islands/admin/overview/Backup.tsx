import { useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { api } from '#lib/api.ts'
import { downloadBackup } from '#lib/stores/admin/dashboard.ts'
import { Button } from '../../ui/Button.tsx'
import { Time } from '../../ui/Facts.tsx'
import { useAttempt, useLoad } from '../../ui/hooks.ts'

const texts = {
  backupNone: 'No backup yet.',
  backupContents:
    'One file with your orders, accounts and pictures. It holds customers’ personal data, so ' +
    'store it safely.',
  backupInProgress: 'Preparing the backup…',
  backupSavedText: (bytes: number) => `Backup downloaded (${(bytes / 1e6).toFixed(1)} MB).`
}

export function Backup() {
  const [result, reloadBackups] = useLoad('backups', () => api('GET /admin/backups'))
  const [savedText, setSavedText] = useState('')
  const { busy, failure, run } = useAttempt({
    title: ADMIN_MESSAGES.saveFailed,
    fallback: ADMIN_MESSAGES.backupFailed
  })

  const download = async () => {
    setSavedText('')
    const { size } = await downloadBackup()
    setSavedText(texts.backupSavedText(size))
    await reloadBackups()
  }
  const lastBackupAt = result.state === 'ready' ? result.value.lastAt : undefined
  return (
    <section aria-labelledby="backup" className="card p-4">
      <h2 id="backup" className="text-lg">
        Backup
      </h2>
      <div className="mt-2 grid gap-2">
        {lastBackupAt === null ? (
          <p>{texts.backupNone}</p>
        ) : (
          <p>Last backup: {lastBackupAt === undefined ? '…' : <Time iso={lastBackupAt} />}</p>
        )}
        <p className="text-ink/80">{texts.backupContents}</p>
        <p>
          <Button label="Download backup" busy={busy} onClick={() => void run(download)} />
        </p>
        <p role="status">{busy ? texts.backupInProgress : savedText}</p>
        {failure && (
          <p role="alert" className="font-semibold text-chilli">
            {failure.text}
          </p>
        )}
      </div>
    </section>
  )
}
