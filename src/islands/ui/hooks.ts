import { useSyncExternalStore } from 'react'
import { SECOND } from '#lib/time.ts'

const noSubscription = () => () => undefined

/** Returns false in the prebuilt page and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false
  )
}

/** `until` is in ms since the epoch. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(
    subscribeEverySecond,
    () => Math.max(0, Math.ceil((until - Date.now()) / SECOND)),
    () => 0
  )
}

function subscribeEverySecond(listener: () => void): () => void {
  const timer = setInterval(listener, SECOND)
  return () => clearInterval(timer)
}
