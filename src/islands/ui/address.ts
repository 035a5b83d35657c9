import { useEffect, useSyncExternalStore } from 'react'

// Safari refuses more than a hundred changes of the address in half a minute: fast typing is written when it rests.
const REST = 300

const listeners = new Set<() => void>()
let waiting: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** The query of the address (`?q=halwa` or ''), live. While hydrating it is '', as in the prebuilt page. */
export function useQuery(): string {
  return useSyncExternalStore(subscribe, currentQuery, () => '')
}

/** A number that belongs to this entry of the history: `otherwise` until one is kept, and again after each choice. */
export function useKept(otherwise: number): number {
  return useSyncExternalStore(
    subscribe,
    () => kept() ?? otherwise,
    () => otherwise
  )
}

/** Keeps a number, so that Back finds as much on the page as was left there. */
export function keep(number: number): void {
  history.replaceState({ kept: number }, '')
  announce()
}

/** A choice: a new entry of the history, to which Back returns. Made in a layer, it takes the place of the layer's entry. */
export function pushQuery(query: string): void {
  settleQuery()
  if (query === location.search) return
  const write = inLayer() ? 'replaceState' : 'pushState'
  history[write](null, '', location.pathname + query)
  announce()
}

/** Gives what lies over the page an entry of the history while it is open, so that Back closes it and stays here. */
export function useLayer(open: boolean, onClose: () => void): void {
  useEffect(() => {
    if (!open) return
    settleQuery()
    // A page that was reloaded with its layer open still has the entry.
    if (!inLayer()) history.pushState({ ...history.state, layer: true }, '')
    addEventListener('popstate', onClose)
    return () => {
      removeEventListener('popstate', onClose)
      if (inLayer()) history.back()
    }
  }, [open])
}

/** Typing: takes the place of the entry, seen at once and written to the address when the typing rests. */
export function replaceQuery(query: string): void {
  waiting = query
  clearTimeout(timer)
  timer = setTimeout(settleQuery, REST)
  announce()
}

/** Writes what still waits, before something that leaves the page. */
export function settleQuery(): void {
  if (waiting === undefined) return
  const query = waiting
  forget()
  history.replaceState(history.state, '', location.pathname + query)
}

function currentQuery(): string {
  return waiting ?? location.search
}

function kept(): number | undefined {
  const state = history.state as { kept?: unknown } | null
  return typeof state?.kept === 'number' ? state.kept : undefined
}

function inLayer(): boolean {
  return (history.state as { layer?: unknown } | null)?.layer === true
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', travelled)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', travelled)
  }
}

function travelled(): void {
  forget()
  announce()
}

function forget(): void {
  clearTimeout(timer)
  waiting = undefined
}

function announce(): void {
  for (const listener of listeners) listener()
}
