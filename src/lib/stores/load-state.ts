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

/** For replies that can overtake each other: tells whether no later request has started. */
export function createLatest(): () => () => boolean {
  let latest = 0
  return () => {
    const request = ++latest
    return () => request === latest
  }
}

/**
 * Quick changes of one record wait for each other. Each gets what the one before has saved, or
 * else `seen`. Only the reply to the last one is shown, because an earlier one is out of date.
 */
export function createTurns(): <Seen, Saved extends Seen>(
  id: string,
  seen: Seen,
  change: (latest: Seen) => Promise<Saved>
) => Promise<{ saved: Saved; isLast: boolean }> {
  const running = new Map<string, Promise<unknown>>()
  return async (id, seen, change) => {
    const saving = (running.get(id) ?? Promise.resolve(seen)).then(
      latest => change(latest as typeof seen),
      () => change(seen)
    )
    running.set(id, saving)
    try {
      return { saved: await saving, isLast: running.get(id) === saving }
    } finally {
      if (running.get(id) === saving) running.delete(id)
    }
  }
}
