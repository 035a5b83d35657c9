import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ShopError, toErrorText } from '#lib/errors.ts'
import type { Notice } from '#lib/stores/toasts.ts'

/** `fallback` is shown if the server's message is too technical for shoppers. */
export interface ErrorText {
  title: string
  fallback: string
}

/** Resolves to true if the action succeeded. */
export type Run = (action: () => Promise<void>, errorText?: ErrorText) => Promise<boolean>

interface Attempt {
  busy: boolean
  failure: Notice | undefined
  run: Run
}

/** If `showError` returns false, the hook returns the error as `failure`. */
export function useAttempt(defaultError: ErrorText, showError = (_: ShopError): boolean => false): Attempt {
  const [failure, setFailure] = useState<Notice>()
  const [busy, setBusy] = useState(false)
  // A ref instead of `busy`, because a second click can come before the next render.
  const isRunning = useRef(false)

  const run: Run = async (action, { title, fallback } = defaultError) => {
    if (isRunning.current) return false
    isRunning.current = true
    setFailure(undefined)
    setBusy(true)
    try {
      await action()
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      // Enable the fields before `showError` moves the focus, because a disabled field cannot be focused.
      flushSync(() => setBusy(false))
      if (!showError(error)) setFailure({ title, text: toErrorText(error, fallback) })
      return false
    } finally {
      isRunning.current = false
      flushSync(() => setBusy(false))
    }
  }

  return { busy, failure, run }
}
