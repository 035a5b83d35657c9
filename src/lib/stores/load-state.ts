import type { WritableAtom } from 'nanostores'
import { assertShopError, type ShopError } from '../errors.ts'

export type LoadState<Value> =
  | { state: 'loading' }
  | { state: 'failed'; error: ShopError }
  | { state: 'ready'; value: Value }

/** Keeps the current value while loading, and shows 'loading' again only after a failure, which replaces the value. */
export async function loadInto<Value>(
  $state: WritableAtom<LoadState<Value>>,
  read: () => Promise<Value>
): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  try {
    $state.set({ state: 'ready', value: await read() })
  } catch (error) {
    $state.set({ state: 'failed', error: assertShopError(error) })
  }
}

export function updateLoaded<Value>($state: WritableAtom<LoadState<Value>>, change: (value: Value) => Value): void {
  const current = $state.get()
  if (current.state === 'ready') $state.set({ state: 'ready', value: change(current.value) })
}
