import { useState } from 'react'
import { ADMIN_MESSAGES, backupSaved } from '#lib/admin/messages.ts'
import { ShopError, errorText } from '#lib/shop-error.ts'
import { downloadBackup, readBackups } from '#lib/stores/admin/backups.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { useLoad } from '../ui/use-load.ts'

type State = { at: 'rest' } | { at: 'work' } | { at: 'done'; message: string } | { at: 'failed'; message: string }

export function Backup() {
  const [result, reload] = useLoad('backups', readBackups)
  const [state, setState] = useState<State>({ at: 'rest' })

  async function download(): Promise<void> {
    if (state.at === 'work') return
    setState({ at: 'work' })
    try {
      const { size } = await downloadBackup()
      setState({ at: 'done', message: backupSaved(size) })
      await reload()
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      setState({ at: 'failed', message: errorText(error, ADMIN_MESSAGES.backupFailed) })
    }
  }

  const last = result.state === 'ready' ? result.value.lastAt : undefined
  return (
    <section aria-labelledby="backup" className="card p-4">
      <h2 id="backup" className="text-lg">
        Backup
      </h2>
      <div className="mt-2 grid gap-2">
        {last === null && <p>{ADMIN_MESSAGES.backupNone}</p>}
        {last && (
          <p>
            Last backup: <time dateTime={last}>{formatDayAndTime(last)}</time>
          </p>
        )}
        <p className="text-ink/80">{ADMIN_MESSAGES.backupContents}</p>
        <p>
          <button
            type="button"
            className="button-quiet"
            aria-disabled={state.at === 'work'}
            onClick={() => void download()}
          >
            Download backup
          </button>
        </p>
        <p role="status">
          {state.at === 'work' && ADMIN_MESSAGES.backupInProgress}
          {state.at === 'done' && state.message}
        </p>
        {state.at === 'failed' && (
          <p role="alert" className="font-semibold text-chilli">
            {state.message}
          </p>
        )}
      </div>
    </section>
  )
}
