import type { ReactNode } from 'react'

interface FactProps {
  term: string
  /** If true, the term stands beside the description on wide screens. */
  beside?: boolean
  children: ReactNode
}

export function Fact({ term, beside = false, children }: FactProps) {
  return (
    <div className={beside ? 'grid gap-x-4 sm:grid-cols-[9rem_1fr] print:grid-cols-[9rem_1fr]' : 'min-w-0'}>
      <dt className="font-semibold">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

/** Shows each line, such as the lines of an address, on a line of its own. */
export function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    <span key={index} className="block break-words">
      {line}
    </span>
  ))
}
