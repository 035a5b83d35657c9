import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

export function Loading({ text = 'Loading…', rows = 3 }: { text?: string; rows?: number }) {
  return (
    <>
      <p role="status" className="sr-only [@media(scripting:none)]:hidden">
        {text}
      </p>
      <Skeleton rows={rows} />
    </>
  )
}

export function Skeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4 [@media(scripting:none)]:hidden">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton h-32" />
      ))}
    </div>
  )
}

export function LoadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <AlertState text={text}>
      <Button look="primary" label="Try again" onClick={onRetry} />
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
