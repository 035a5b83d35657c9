import { useEffect, useRef, useState } from 'react'
import { ShopError } from '#lib/shop-error.ts'
import { previewText } from '#lib/stores/admin/posts.ts'

/** Typing is shown when it rests, in ms. */
const DEBOUNCE_MS = 400

/** What the shop makes of a text; while it is asked, what it made of it before. */
export function usePreview(content: string): { html: string; failure: string | undefined; again: () => void } {
  const [shown, setShown] = useState<{ html: string; failure?: string }>({ html: '' })
  const [round, setRound] = useState(0)
  const isFirst = useRef(true)

  useEffect(() => {
    let isStale = false
    const ask = async () => {
      try {
        const html = content.trim() === '' ? '' : await previewText(content)
        if (!isStale) setShown({ html })
      } catch (error) {
        if (!(error instanceof ShopError)) throw error
        if (!isStale) setShown(before => ({ ...before, failure: error.message }))
      }
    }
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : DEBOUNCE_MS)
    isFirst.current = false
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [content, round])

  return { html: shown.html, failure: shown.failure, again: () => setRound(round + 1) }
}
