import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Button } from '../../ui/Button.tsx'

export interface Difference {
  label: string
  mine: string
  theirs: string
}

interface ConflictNoticeProps {
  differences: readonly Difference[]
  onUseTheirs: () => void
  onKeepMine: () => void
}

export function ConflictNotice({ differences, onUseTheirs, onKeepMine }: ConflictNoticeProps) {
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
              <span className="text-ink/70">Yours:</span> {mine || 'empty'}
            </dd>
            <dd className="min-w-0 break-words">
              <span className="text-ink/70">Theirs:</span> {theirs || 'empty'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-3">
        <Button label="Use their version" onClick={onUseTheirs} />
        <Button label="Keep mine" onClick={onKeepMine} />
      </div>
    </div>
  )
}
