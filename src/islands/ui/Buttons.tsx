import type { ReactNode } from 'react'
import type { Notice } from '#lib/stores/toasts.ts'
import { Button } from './Button.tsx'
import { useAttempt, useHydrated } from './hooks.ts'
import { StillWaiting } from './Loading.tsx'

interface SubmitButtonProps {
  label: string
  busyLabel: string
  busy: boolean
  secondary?: boolean
}

export function SubmitButton({ label, busyLabel, busy, secondary = false }: SubmitButtonProps) {
  const hydrated = useHydrated()
  return (
    <Button
      type="submit"
      look={secondary ? 'quiet' : 'primary'}
      label={busy ? busyLabel : label}
      busy={busy}
      disabled={!hydrated}
      className={secondary ? 'justify-self-start' : 'w-full'}
    />
  )
}

interface ActionButtonProps {
  label: string
  busyLabel: string
  errorTitle: string
  action: () => Promise<void>
  children: ReactNode
}

export function ActionButton({
  label,
  busyLabel,
  errorTitle,
  action,
  children
}: ActionButtonProps) {
  const { busy, failure, run } = useAttempt({ title: errorTitle })
  return (
    <div className="grid gap-4">
      <p>{children}</p>
      <Failure failure={failure} busy={busy} />
      <Button
        label={busy ? busyLabel : label}
        busy={busy}
        className="justify-self-start"
        onClick={() => void run(action)}
      />
    </div>
  )
}

interface FailureProps {
  failure: Notice | undefined
  busy?: boolean
  /** A toast announces it, too. */
  hasToast?: boolean
  children?: ReactNode
}

export function Failure({ failure, busy = false, hasToast = false, children }: FailureProps) {
  return (
    <>
      <div role={hasToast ? undefined : 'alert'} className="empty:hidden">
        {failure && (
          <div className="rounded-xl border-2 border-chilli p-4 [overflow-wrap:anywhere]">
            <p className="font-semibold text-chilli">{failure.title}</p>
            <p>{failure.text}</p>
            {children}
          </div>
        )}
      </div>
      {busy && <StillWaiting />}
    </>
  )
}
