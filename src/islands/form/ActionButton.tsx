import type { ReactNode } from 'react'
import { MESSAGES } from '#lib/messages.ts'
import { Failure } from './Failure.tsx'
import { useAttempt } from './use-attempt.ts'

interface ActionButtonProps {
  label: string
  /** Said while it is being done. */
  busyLabel: string
  /** Said when it could not be done, before the reason. */
  errorTitle: string
  action: () => Promise<void>
  /** What it is for. */
  children: ReactNode
}

/** Something that needs no more than a press. */
export function ActionButton({ label, busyLabel: doing, errorTitle: failed, action, children }: ActionButtonProps) {
  const { busy, failure, run } = useAttempt({ title: failed, fallback: MESSAGES.tryAgain }, () => false)
  return (
    <div className="grid gap-4">
      <p>{children}</p>
      <Failure failure={failure} />
      <button
        type="button"
        aria-disabled={busy}
        className="button-quiet justify-self-start aria-disabled:opacity-60"
        onClick={() => void run(action)}
      >
        {busy ? doing : label}
      </button>
    </div>
  )
}
