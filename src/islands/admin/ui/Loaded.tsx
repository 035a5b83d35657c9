import type { ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { LoadState } from './use-load.ts'

interface LoadedProps<Value> {
  read: LoadState<Value>
  /** What is loaded: 'the accounts'. */
  what: string
  onAgain: () => void
  children: (value: Value) => ReactNode
}

/** What the shop answered, or that it is awaited, or that it did not. */
export function Loaded<Value>({ read, what, onAgain, children }: LoadedProps<Value>) {
  if (read.state === 'ready') return children(read.value)
  if (read.state === 'loading') {
    return (
      <>
        <p role="status" className="sr-only">
          Loading {what}…
        </p>
        <Skeleton rows={4} />
      </>
    )
  }
  return (
    <div role="alert">
      <EmptyState text={`${ADMIN_MESSAGES.loadFailed} ${read.error.message}`}>
        <button type="button" className="button-primary" onClick={onAgain}>
          Try again
        </button>
      </EmptyState>
    </div>
  )
}
