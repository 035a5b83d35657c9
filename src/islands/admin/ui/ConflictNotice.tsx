import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'

/** A field that was typed here and that is something else in the shop by now. */
export interface Difference {
  label: string
  mine: string
  theirs: string
}

interface ConflictNoticeProps {
  differences: readonly Difference[]
  /** Throws away what was typed here. */
  onTheirs: () => void
  /** Puts what was typed here over what somebody else has saved. */
  onMine: () => void
}

/** Somebody else was faster: what was typed stays, and both sides are shown before one of them is chosen. */
export function ConflictNotice({ differences, onTheirs, onMine }: ConflictNoticeProps) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="alert" className="grid gap-3 rounded-card border-2 border-chilli p-4">
      <p ref={heading} tabIndex={-1} className="font-semibold text-chilli outline-none">
        {ADMIN_MESSAGES.changedByOthers}
      </p>
      <dl className="grid gap-2">
        {differences.map(({ label, mine, theirs }) => (
          <div key={label} className="grid gap-x-4 sm:grid-cols-[8rem_1fr_1fr]">
            <dt className="font-semibold">{label}</dt>
            <dd className="min-w-0 break-words">
              <span className="text-ink/70">Yours:</span> {mine || 'nothing'}
            </dd>
            <dd className="min-w-0 break-words">
              <span className="text-ink/70">In the shop now:</span> {theirs || 'nothing'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button-quiet" onClick={onTheirs}>
          Take what is in the shop
        </button>
        <button type="button" className="button-quiet" onClick={onMine}>
          Save mine over it
        </button>
      </div>
    </div>
  )
}
