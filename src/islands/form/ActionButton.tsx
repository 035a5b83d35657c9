import type { ReactNode } from 'react'
import { MESSAGES } from '#lib/messages.ts'
import { Failure } from './Failure.tsx'
import { useAttempt } from './use-attempt.ts'

interface ActionButtonProps {
  label: string
  busyLabel: string
  errorTitle: string
  action: () => Promise<void>
  children: ReactNode
}

export function ActionButton({ label, busyLabel, errorTitle, action, children }: ActionButtonProps) {
  const { busy, failure, run } = useAttempt({ title: errorTitle, fallback: MESSAGES.tryAgain }, () => false)
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
        {busy ? busyLabel : label}
      </button>
    </div>
  )
}
