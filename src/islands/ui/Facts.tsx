import type { ReactNode } from 'react'
import { formatDayAndTime } from '#lib/time.ts'

interface FactProps {
  term: string
  inRow?: boolean
  lines?: readonly string[]
  children?: ReactNode
}

const ROW = 'grid gap-x-4 sm:grid-cols-[9rem_1fr] print:grid-cols-[9rem_1fr]'

export function Fact({ term, inRow = false, lines = [], children }: FactProps) {
  return (
    <div className={`min-w-0 ${inRow ? ROW : ''}`}>
      <dt className="font-semibold">{term}</dt>
      <dd className="min-w-0 break-words">
        <Lines lines={lines} />
        {children}
      </dd>
    </div>
  )
}

export function Time({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatDayAndTime(iso)}</time>
}

export function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    <span key={index} className="block break-words empty:h-3">
      {line}
    </span>
  ))
}
