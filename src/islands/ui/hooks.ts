import {
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore
} from 'react'
import { flushSync } from 'react-dom'
import { useStore } from '@nanostores/react'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { createLatest, type LoadState } from '#lib/stores/load-state.ts'
import type { Notice } from '#lib/stores/toasts.ts'
import { type EpochMs, SECOND } from '#lib/time.ts'
import { paths } from '#lib/paths.ts'
import {
  $session,
  checkSession,
  isLoginPending,
  loginPathFromHere,
  type SessionState
} from '#lib/stores/session.ts'

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
  // A second click can come before the next render.
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
      // `showError` moves the focus, and a disabled field can't have it.
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
  const [startRequest] = useState(createLatest)
  const latestRead = useRef(read)
  latestRead.current = read

  const reload = useCallback(async () => {
    const isLatest = startRequest()
    const show = (response: LoadState<Value>) => isLatest() && setResult(response)
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
    return () => void startRequest()
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

const LOADING: SessionState = { state: 'loading' }

/** 'loading' in the prebuilt page and until the stored session is checked. */
export function useSession(): SessionState {
  const session = useStore($session)
  const hydrated = useHydrated()
  useEffect(() => void checkSession(), [])
  return hydrated ? session : LOADING
}

interface Guard {
  role?: 'admin'
  /** In ms, so that the visitor can read the reason. */
  redirectDelay?: number
}

/** Guests go to the login page, users without `role` home. The server checks again. */
export function useGuard({ role, redirectDelay = 0 }: Guard = {}): SessionState {
  const session = useSession()
  const isForbidden =
    session.state === 'authenticated' && role !== undefined && session.user.role !== role
  const target = session.state === 'anonymous' ? 'login' : isForbidden ? 'home' : undefined

  useEffect(() => {
    if (!target || isLoginPending()) return
    const targetPath = target === 'home' ? paths.home : loginPathFromHere()
    const timer = setTimeout(() => location.replace(targetPath), redirectDelay)
    return () => clearTimeout(timer)
  }, [target, redirectDelay])

  return isForbidden ? { state: 'loading' } : session
}
