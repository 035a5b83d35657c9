import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ShopError, wordsOf } from '#lib/shop-error.ts'
import type { Notice } from '#lib/stores/toasts.ts'

/** What is said when something could not be done; the text is the shop's, else `otherwise`. */
export interface Words {
  title: string
  otherwise: string
}

/** Does something that the shop may refuse, and answers whether it was done. */
export type Run = (action: () => Promise<void>, words?: Words) => Promise<boolean>

interface Attempt {
  /** While it is being done, a second press does nothing. */
  busy: boolean
  failure: Notice | undefined
  run: Run
}

/** `explain` says a refusal elsewhere, or answers false; then it becomes the failure of the whole. */
export function useAttempt(failed: Words, explain: (error: ShopError) => boolean): Attempt {
  const [failure, setFailure] = useState<Notice>()
  const [busy, setBusy] = useState(false)
  // Two presses may come before anything is drawn anew.
  const running = useRef(false)

  const run: Run = async (action, { title, otherwise } = failed) => {
    if (running.current) return false
    running.current = true
    setFailure(undefined)
    setBusy(true)
    try {
      await action()
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      // Before the focus is moved: what is disabled can't have it.
      flushSync(() => setBusy(false))
      if (!explain(error)) setFailure({ title, text: wordsOf(error, otherwise) })
      return false
    } finally {
      running.current = false
      flushSync(() => setBusy(false))
    }
  }

  return { busy, failure, run }
}
