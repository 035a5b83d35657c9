import { useSyncExternalStore } from 'react'

const noSubscription = () => () => undefined

/** Returns false in the prebuilt page and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false
  )
}
