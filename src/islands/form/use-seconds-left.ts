import { useSyncExternalStore } from 'react'
import { SECOND } from '#lib/time.ts'

/** `until` in ms since the epoch. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(
    everySecond,
    () => Math.max(0, Math.ceil((until - Date.now()) / SECOND)),
    () => 0
  )
}

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, SECOND)
  return () => clearInterval(timer)
}
