import { useEffect, useState } from 'react'

/** Typing is asked about when it rests, in ms. */
const DEBOUNCE_MS = 250

/** What is typed, once the typing rests. */
export function useDebounced(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
