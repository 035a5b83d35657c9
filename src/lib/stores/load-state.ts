import type { WritableAtom } from 'nanostores'
import { assertShopError, type ShopError } from '../errors.ts'

export type LoadState<Value> =
  | { state: 'loading' }
  | { state: 'failed'; error: ShopError }
  | { state: 'ready'; value: Value }

const running = new WeakMap<object, Promise<void>>()

/**
 * Shows 'loading' again only after a failure. Of several loads, which can overtake each other, only
 * the latest is shown, and all end with it.
 */
export function loadInto<Value>(
  $state: WritableAtom<LoadState<Value>>,
  read: () => Promise<Value>,
  keepsValue = false
): Promise<void> {
  if ($state.get().state === 'failed') $state.set({ state: 'loading' })
  const load = async () => {
    const before = $state.get()
    const next = await read().then(
      (value): LoadState<Value> => ({ state: 'ready', value }),
      (error: unknown): LoadState<Value> => ({ state: 'failed', error: assertShopError(error) })
    )
    if (running.get($state) !== latest) return running.get($state)
    const current = $state.get()
    // The reply may be older than a change made during the request.
    if (current !== before && next.state === 'ready') return load()
    if (next.state === 'ready' || current.state !== 'ready' || !keepsValue) $state.set(next)
  }
  const latest = load()
  running.set($state, latest)
  return latest
}

export function updateLoaded<Value>(
  $state: WritableAtom<LoadState<Value>>,
  change: (value: Value) => Value
): void {
  const current = $state.get()
  if (current.state === 'ready') $state.set({ state: 'ready', value: change(current.value) })
}

/** Tells whether no later request has started. */
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
