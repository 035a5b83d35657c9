import { useCallback, useEffect, useRef, useState } from 'react'
import { ShopError } from '#lib/errors.ts'
import type { LoadState } from '#lib/stores/load-state.ts'

/** Loads on mount, when `key` changes, and when the returned function is called. */
export function useLoad<Value>(key: string, read: () => Promise<Value>): [LoadState<Value>, () => Promise<void>] {
  const [result, setResult] = useState<LoadState<Value>>({ state: 'loading' })
  const latestRequest = useRef(0)
  const latestRead = useRef(read)
  latestRead.current = read

  const reload = useCallback(async () => {
    const request = ++latestRequest.current
    // Ignore the response if a newer request has started.
    const show = (response: LoadState<Value>) => request === latestRequest.current && setResult(response)
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
    return () => void latestRequest.current++
  }, [key, reload])
  return [result, reload]
}
