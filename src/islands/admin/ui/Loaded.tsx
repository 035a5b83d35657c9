import type { ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { LoadState } from './use-load.ts'

interface LoadedProps<Value> {
  state: LoadState<Value>
  /** Noun in the loading text, for example 'users' in 'Loading users…'. */
  label: string
  onRetry: () => void
  children: (value: Value) => ReactNode
}

export function Loaded<Value>({ state, label, onRetry, children }: LoadedProps<Value>) {
  if (state.state === 'ready') return children(state.value)
  if (state.state === 'loading') {
    return (
      <>
        <p role="status" className="sr-only">
          Loading {label}…
        </p>
        <Skeleton rows={4} />
      </>
    )
  }
  return (
    <div role="alert">
      <EmptyState text={`${ADMIN_MESSAGES.loadFailed} ${state.error.message}`}>
        <button type="button" className="button-primary" onClick={onRetry}>
          Try again
        </button>
      </EmptyState>
    </div>
  )
}
