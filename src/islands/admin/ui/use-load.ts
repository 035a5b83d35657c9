import { useCallback, useEffect, useRef, useState } from 'react'
import { ShopError } from '#lib/shop-error.ts'

export type LoadState<Value> =
  { state: 'loading' } | { state: 'failed'; error: ShopError } | { state: 'ready'; value: Value }

/** Loads on mount, when `key` changes, and on demand. */
export function useLoad<Value>(key: string, read: () => Promise<Value>): [LoadState<Value>, () => Promise<void>] {
  const [result, setResult] = useState<LoadState<Value>>({ state: 'loading' })
  const latest = useRef(0)
  const latestRead = useRef(read)
  latestRead.current = read

  const reload = useCallback(async () => {
    const request = ++latest.current
    // Ignore a response that arrives after a newer request.
    const show = (shown: LoadState<Value>) => request === latest.current && setResult(shown)
    try {
      show({ state: 'ready', value: await latestRead.current() })
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      show({ state: 'failed', error })
    }
  }, [])

  useEffect(() => {
    setResult({ state: 'loading' })
    void reload()
    return () => void latest.current++
  }, [key, reload])
  return [result, reload]
}
