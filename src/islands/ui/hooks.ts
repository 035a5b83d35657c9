import {
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject
} from 'react'
import { flushSync } from 'react-dom'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import type { LoadState } from '#lib/stores/load-state.ts'
import type { Notice } from '#lib/stores/toasts.ts'
import { SECOND, type EpochMs } from '#lib/time.ts'

const noSubscription = () => () => undefined

export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false
  )
}

export function useSecondsLeft(until: EpochMs): number {
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

export interface ErrorText {
  title: string
  fallback?: string
  offline?: Notice
}

export type Run = (action: () => Promise<void>, errorText?: ErrorText) => Promise<boolean>

interface Attempt {
  busy: boolean
  failure: Notice | undefined
  run: Run
}

export function useAttempt(
  defaultError: ErrorText,
  showError = (_: ShopError): boolean => false
): Attempt {
  const [failure, setFailure] = useState<Notice>()
  const [busy, setBusy] = useState(false)
  // A ref instead of `busy`, because a second click can come before the next render.
  const isRunning = useRef(false)

  const run: Run = async (
    action,
    { title, fallback = MESSAGES.tryAgain, offline } = defaultError
  ) => {
    if (isRunning.current) return false
    isRunning.current = true
    setFailure(undefined)
    setBusy(true)
    try {
      await action()
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      // Enable the fields before `showError` moves the focus, because a disabled field cannot be
      // focused.
      flushSync(() => setBusy(false))
      const isOffline = offline !== undefined && error.code === 'OFFLINE'
      if (!showError(error))
        setFailure(isOffline ? offline : { title, text: toErrorText(error, fallback) })
      return false
    } finally {
      isRunning.current = false
      flushSync(() => setBusy(false))
    }
  }

  return { busy, failure, run }
}

export function useLoad<Value>(
  key: string,
  read: () => Promise<Value>
): [LoadState<Value>, () => Promise<void>] {
  const [result, setResult] = useState<LoadState<Value>>({ state: 'loading' })
  const latestRequest = useRef(0)
  const latestRead = useRef(read)
  latestRead.current = read

  const reload = useCallback(async () => {
    const request = ++latestRequest.current
    // Ignore the response if a newer request has started.
    const show = (response: LoadState<Value>) =>
      request === latestRequest.current && setResult(response)
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

export function useScrollToMiddle<Target extends HTMLElement>(
  value: unknown
): RefObject<Target | null> {
  const target = useRef<Target>(null)
  useEffect(() => {
    if (value !== undefined) target.current?.scrollIntoView({ block: 'center' })
  }, [value])
  return target
}

export function useDebounced(value: string, ms: number): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}
