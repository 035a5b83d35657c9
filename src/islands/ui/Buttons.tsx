import type { ReactNode } from 'react'
import { MESSAGES } from '#lib/messages.ts'
import type { Notice } from '#lib/stores/toasts.ts'
import { useAttempt, useHydrated } from './hooks.ts'

interface SubmitButtonProps {
  label: string
  busyLabel: string
  busy: boolean
  secondary?: boolean
}

/** Uses aria-disabled while busy, because a disabled button would lose the focus. */
export function SubmitButton({ label, busyLabel, busy, secondary = false }: SubmitButtonProps) {
  const hydrated = useHydrated()
  return (
    <button
      type="submit"
      disabled={!hydrated}
      aria-disabled={busy}
      className={`aria-disabled:opacity-60 ${secondary ? 'button-quiet justify-self-start' : 'button-primary w-full'}`}
    >
      {busy ? busyLabel : label}
    </button>
  )
}

interface ActionButtonProps {
  label: string
  busyLabel: string
  errorTitle: string
  action: () => Promise<void>
  children: ReactNode
}

export function ActionButton({ label, busyLabel, errorTitle, action, children }: ActionButtonProps) {
  const { busy, failure, run } = useAttempt({ title: errorTitle, fallback: MESSAGES.tryAgain })
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

interface FailureProps {
  failure: Notice | undefined
  /** True if a toast also announces the failure, which makes the alert role unnecessary. */
  hasToast?: boolean
}

export function Failure({ failure, hasToast = false }: FailureProps) {
  return (
    <div role={hasToast ? undefined : 'alert'} className="empty:hidden">
      {failure && (
        <div className="rounded-xl border-2 border-chilli p-4">
          <p className="font-semibold text-chilli">{failure.title}</p>
          <p>{failure.text}</p>
        </div>
      )}
    </div>
  )
}
