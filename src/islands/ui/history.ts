import { useEffect, useSyncExternalStore } from 'react'

// Safari allows 100 history changes in 30 seconds.
const DEBOUNCE_MS = 300

const listeners = new Set<() => void>()
let pendingQuery: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** '' during hydration, like the prebuilt page. */
export function useQuery(): string {
  return useSyncExternalStore(subscribe, currentQuery, () => '')
}

export function useShownCount(initial: number): number {
  return useSyncExternalStore(
    subscribe,
    () => readEntry().shownCount ?? initial,
    () => initial
  )
}

export function saveShownCount(count: number): void {
  history.replaceState({ shownCount: count }, '')
  notifyListeners()
}

export function toQuery(params: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(params)}`
}

/** Replaces the entry of an open overlay. */
export function pushQuery(query: string): void {
  flushQuery()
  if (query === location.search) return
  const write = readEntry().overlay ? 'replaceState' : 'pushState'
  history[write](null, '', location.pathname + query)
  notifyListeners()
}

/** Back closes the overlay. */
export function useOverlayHistory(open: boolean, onClose: () => void): void {
  useEffect(() => {
    if (!open) return
    flushQuery()
    // After a reload with the overlay open, the entry already exists.
    if (!readEntry().overlay) history.pushState({ ...history.state, overlay: true }, '')
    addEventListener('popstate', onClose)
    return () => {
      removeEventListener('popstate', onClose)
      if (readEntry().overlay) history.back()
    }
  }, [open])
}

/** The URL follows after DEBOUNCE_MS. */
export function replaceQuery(query: string): void {
  pendingQuery = query
  clearTimeout(timer)
  timer = setTimeout(flushQuery, DEBOUNCE_MS)
  notifyListeners()
}

export function flushQuery(): void {
  if (pendingQuery === undefined) return
  const query = pendingQuery
  clearPending()
  history.replaceState(history.state, '', location.pathname + query)
}

export function currentQuery(): string {
  return pendingQuery ?? location.search
}

/** Only this file writes the state of history entries. */
function readEntry(): { shownCount?: number; overlay?: boolean } {
  return (history.state as ReturnType<typeof readEntry> | null) ?? {}
}

function subscribe(listener: () => void): () => void {
  // Browsers add the same function only once.
  addEventListener('popstate', onPopState)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function onPopState() {
  clearPending()
  notifyListeners()
}

function clearPending() {
  clearTimeout(timer)
  pendingQuery = undefined
}

function notifyListeners() {
  for (const listener of listeners) listener()
}
