import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ShopError, errorText } from '#lib/shop-error.ts'
import type { Notice } from '#lib/stores/toasts.ts'

/** `fallback` replaces the server's message where it has none for people. */
export interface ErrorText {
  title: string
  fallback: string
}

/** Resolves to whether the action succeeded. */
export type Run = (action: () => Promise<void>, errorText?: ErrorText) => Promise<boolean>

interface Attempt {
  busy: boolean
  failure: Notice | undefined
  run: Run
}

/** `showError` returns whether it showed the error itself; otherwise it becomes `failure`. */
export function useAttempt(defaultError: ErrorText, showError: (error: ShopError) => boolean): Attempt {
  const [failure, setFailure] = useState<Notice>()
  const [busy, setBusy] = useState(false)
  // A second press can come before the next render.
  const running = useRef(false)

  const run: Run = async (action, { title, fallback } = defaultError) => {
    if (running.current) return false
    running.current = true
    setFailure(undefined)
    setBusy(true)
    try {
      await action()
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      // Before the focus moves: a disabled field cannot receive it.
      flushSync(() => setBusy(false))
      if (!showError(error)) setFailure({ title, text: errorText(error, fallback) })
      return false
    } finally {
      running.current = false
      flushSync(() => setBusy(false))
    }
  }

  return { busy, failure, run }
}
