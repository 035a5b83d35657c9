import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False in the prebuilt page and while taking it over, true from then on: for what only the browser can know. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false
  )
}
