import type { ReactNode } from 'react'
import { EmptyState } from './EmptyState.tsx'

export function Loading({ text = 'Loading…', rows = 3 }: { text?: string; rows?: number }) {
  return (
    <>
      <p role="status" className="sr-only">
        {text}
      </p>
      <Skeleton rows={rows} />
    </>
  )
}

export function Skeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton h-32" />
      ))}
    </div>
  )
}

export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <AlertState text={text}>
      <button type="button" className="button-primary" onClick={onRetry}>
        Try again
      </button>
    </AlertState>
  )
}

export function AlertState({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div role="alert">
      <EmptyState text={text}>{children}</EmptyState>
    </div>
  )
}
