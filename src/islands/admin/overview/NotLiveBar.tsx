import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { $may } from '#lib/stores/admin/access.ts'
import { confirmLive } from '#lib/stores/admin/requests.ts'
import { readStatus } from '#lib/stores/status.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { useLoad } from '../../ui/hooks.ts'

/** Shown until an administrator confirms that this is the live shop, for example after a restore. */
export function NotLiveBar() {
  const [status, reload] = useLoad('status', readStatus)
  const may = useStore($may)
  if (status.state !== 'ready' || !status.value.notLive) return null
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-card border border-brass bg-cream-deep p-4">
      <div>
        <p className="font-semibold">{ADMIN_MESSAGES.notLive}</p>
        <p>
          {ADMIN_MESSAGES.notLiveCause} {!may('POST /admin/confirm-live') && ADMIN_MESSAGES.notLiveOwner}
        </p>
      </div>
      {may('POST /admin/confirm-live') && (
        <ConfirmButton
          label={ADMIN_MESSAGES.confirmLive}
          title="Make this the live shop?"
          confirmLabel="Confirm"
          busyLabel="Confirming…"
          errorTitle={ADMIN_MESSAGES.confirmLiveFailed}
          onConfirm={async () => {
            await confirmLive()
            await reload()
          }}
        >
          It then takes payments, makes due refunds and sends all waiting mails. Confirm only if no other copy of this
          shop is open to customers.
        </ConfirmButton>
      )}
    </div>
  )
}
