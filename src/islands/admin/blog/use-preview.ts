import { useEffect, useRef, useState } from 'react'
import { ShopError } from '#lib/shop-error.ts'
import { previewText } from '#lib/stores/admin/posts.ts'

const DEBOUNCE_MS = 400

/** Keeps the previous HTML while the new one is loading. */
export function usePreview(content: string): { html: string; failure: string | undefined; retry: () => void } {
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

  return { html: shown.html, failure: shown.failure, retry: () => setRound(round + 1) }
}
