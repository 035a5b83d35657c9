import type { Notice } from '#lib/stores/toasts.ts'

interface FailureProps {
  failure: Notice | undefined
  /** No alert role, because a toast announces the failure. */
  quiet?: boolean
}

export function Failure({ failure, quiet = false }: FailureProps) {
  return (
    <div role={quiet ? undefined : 'alert'} className="empty:hidden">
      {failure && (
        <div className="rounded-xl border-2 border-chilli p-4">
          <p className="font-semibold text-chilli">{failure.title}</p>
          <p>{failure.text}</p>
        </div>
      )}
    </div>
  )
}
