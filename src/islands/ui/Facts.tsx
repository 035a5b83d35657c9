import type { ReactNode } from 'react'
import { formatDayAndTime } from '#lib/time.ts'

interface FactProps {
  term: string
  children: ReactNode
}

export function Fact({ term, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="font-semibold">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

export function FactRow({ term, children }: FactProps) {
  return (
    <div className="grid min-w-0 gap-x-4 sm:grid-cols-[9rem_1fr] print:grid-cols-[9rem_1fr]">
      <dt className="font-semibold">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

export function Time({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatDayAndTime(iso)}</time>
}

export function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    <span key={index} className="block break-words">
      {line}
    </span>
  ))
}
