import type { WritableAtom } from 'nanostores'
import { assertShopError, type ShopError } from '../errors.ts'

export type LoadState<Value> =
  | { state: 'loading' }
  | { state: 'failed'; error: ShopError }
  | { state: 'ready'; value: Value }

/** Shows 'loading' again only after a failure. */
export async function loadInto<Value>(
  $state: WritableAtom<LoadState<Value>>,
  read: () => Promise<Value>
): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  const before = $state.get()
  try {
    const value = await read()
    // The reply may be older than a change made during the request.
    if ($state.get() !== before) return await loadInto($state, read)
    $state.set({ state: 'ready', value })
  } catch (error) {
    $state.set({ state: 'failed', error: assertShopError(error) })
  }
}

export function updateLoaded<Value>(
  $state: WritableAtom<LoadState<Value>>,
  change: (value: Value) => Value
): void {
  const current = $state.get()
  if (current.state === 'ready') $state.set({ state: 'ready', value: change(current.value) })
}

/** Resolves to undefined if a later action was added. */
export function createQueue(): <Result>(
  action: () => Promise<Result>
) => Promise<Result | undefined> {
  let last: Promise<unknown> = Promise.resolve()
  return async action => {
    const result = last.then(action, action)
    last = result
    const value = await result
    return last === result ? value : undefined
  }
}
