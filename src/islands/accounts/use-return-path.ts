import { useEffect } from 'react'
import { paths } from '#lib/paths.ts'
import { loginPath, returnPath } from '#lib/return-path.ts'
import { saveDraft } from '#lib/stores/drafts.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

/** The page to open after login; redirects there once `loggedIn`. */
export function useReturnPath(loggedIn: boolean): string {
  const hydrated = useHydrated()
  const path = hydrated ? returnPath(location.search, document.referrer, location.origin) : paths.home

  // In the URL, because phones may discard the tab while the shopper reads the mail with the code.
  useEffect(() => {
    if (hydrated) history.replaceState(history.state, '', loginPath(path))
  }, [hydrated, path])

  useEffect(() => {
    if (!loggedIn) return
    saveDraft('login', undefined)
    location.replace(path)
  }, [loggedIn, path])

  return path
}
