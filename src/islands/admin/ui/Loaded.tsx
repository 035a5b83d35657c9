import type { ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { LoadState } from '#lib/stores/load-state.ts'
import { LoadFailed, Loading } from '../../ui/States.tsx'

interface LoadedProps<Value> {
  state: LoadState<Value>
  /** Noun in the loading text, for example 'users' in 'Loading users…'. */
  label: string
  rows?: number
  failedText?: string
  onRetry: () => unknown
  children: (value: Value) => ReactNode
}

export function Loaded<Value>(props: LoadedProps<Value>) {
  const {
    state,
    label,
    rows = 4,
    failedText = ADMIN_MESSAGES.loadFailed,
    onRetry,
    children
  } = props
  if (state.state === 'loading') return <Loading text={`Loading ${label}…`} rows={rows} />
  if (state.state === 'failed') {
    return (
      <LoadFailed text={`${failedText} ${state.error.message}`} onRetry={() => void onRetry()} />
    )
  }
  return children(state.value)
}
