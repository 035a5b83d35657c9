import { useSyncExternalStore } from 'react'
import { SECOND } from '#lib/time.ts'

/** Whole seconds until a moment (ms since the epoch), counted down to 0. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(
    everySecond,
    () => Math.max(0, Math.ceil((until - Date.now()) / SECOND)),
    () => 0
  )
}

function everySecond(tell: () => void): () => void {
  const timer = setInterval(tell, SECOND)
  return () => clearInterval(timer)
}
