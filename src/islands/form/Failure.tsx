import type { Notice } from '#lib/stores/toasts.ts'

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
