import { useCallback, useEffect, useRef, useState } from 'react'
import { ShopError } from '#lib/shop-error.ts'

export type LoadState<Value> =
  { state: 'loading' } | { state: 'failed'; error: ShopError } | { state: 'ready'; value: Value }

/** What the shop answers, asked when the part is first drawn, when `key` changes, and again on demand. */
export function useLoad<Value>(key: string, read: () => Promise<Value>): [LoadState<Value>, () => Promise<void>] {
  const [result, setResult] = useState<LoadState<Value>>({ state: 'loading' })
  const latest = useRef(0)
  const reading = useRef(read)
  reading.current = read

  const again = useCallback(async () => {
    const turn = ++latest.current
    // An answer that comes after a newer question says nothing any more.
    const show = (shown: LoadState<Value>) => turn === latest.current && setResult(shown)
    try {
      show({ state: 'ready', value: await reading.current() })
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      show({ state: 'failed', error })
    }
  }, [])

  useEffect(() => {
    setResult({ state: 'loading' })
    void again()
    return () => void latest.current++
  }, [key, again])
  return [result, again]
}
