import { useEffect, useState } from 'react'

/** Typing is asked about when it rests, in ms. */
const REST = 250

/** What is typed, once the typing rests. */
export function useRested(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), REST)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
