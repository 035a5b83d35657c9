import { useEffect, useRef, type ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Failure } from '../../form/Failure.tsx'
import { useAttempt } from '../../form/use-attempt.ts'
import { Dialog } from '../../ui/Dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  busyLabel: string
  errorTitle?: string
  /** The dialog closes if `onConfirm` succeeds. It stays open if `onConfirm` throws a ShopError. */
  onConfirm: () => Promise<void>
  onClose: () => void
}

export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  busyLabel,
  errorTitle = ADMIN_MESSAGES.saveFailed,
  onConfirm,
  onClose
}: ConfirmDialogProps) {
  const { busy, failure, run } = useAttempt({ title: errorTitle, fallback: ADMIN_MESSAGES.tryAgain }, () => false)
  const cancel = useRef<HTMLButtonElement>(null)
  // `Dialog` focuses its first button (Close) when it opens. This effect runs later and focuses Cancel.
  useEffect(() => {
    if (open) cancel.current?.focus()
  }, [open])
  const handleConfirm = async () => {
    if (await run(onConfirm)) onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={title} shape="box">
      <div className="grid gap-4 px-4 pb-4">
        <div>{children}</div>
        <Failure failure={failure} />
        <div className="flex flex-wrap-reverse justify-end gap-3">
          <button ref={cancel} type="button" className="button-quiet" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            aria-disabled={busy}
            className="button-primary aria-disabled:opacity-60"
            onClick={() => void handleConfirm()}
          >
            {busy ? busyLabel : confirmLabel}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
