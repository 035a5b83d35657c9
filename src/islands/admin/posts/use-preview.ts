import { useEffect, useRef, useState } from 'react'
import { ShopError } from '#lib/shop-error.ts'
import { renderPreview } from '#lib/stores/admin/posts.ts'

const DEBOUNCE_MS = 400

/** Returns the previous HTML until the new HTML has loaded. */
export function usePreview(content: string): { html: string; failure: string | undefined; retry: () => void } {
  const [preview, setPreview] = useState<{ html: string; failure?: string }>({ html: '' })
  const [attempt, setAttempt] = useState(0)
  const isFirst = useRef(true)

  useEffect(() => {
    let isStale = false
    const loadPreview = async () => {
      try {
        const html = content.trim() === '' ? '' : await renderPreview(content)
        if (!isStale) setPreview({ html })
      } catch (error) {
        if (!(error instanceof ShopError)) throw error
        if (!isStale) setPreview(previous => ({ ...previous, failure: error.message }))
      }
    }
    const timer = setTimeout(() => void loadPreview(), isFirst.current ? 0 : DEBOUNCE_MS)
    isFirst.current = false
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [content, attempt])

  return { html: preview.html, failure: preview.failure, retry: () => setAttempt(attempt + 1) }
}
