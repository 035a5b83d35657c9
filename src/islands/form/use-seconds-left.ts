import { useSyncExternalStore } from 'react'
import { SECOND } from '#lib/time.ts'

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
