import { useEffect } from 'react'
import { paths } from '#lib/paths.ts'
import { toLoginPath, findReturnPath } from '#lib/return-path.ts'
import { saveDraft } from '#lib/stores/drafts.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

/** Returns the page to open after login, and redirects to it when `loggedIn` becomes true. */
export function useReturnPath(loggedIn: boolean): string {
  const hydrated = useHydrated()
  const path = hydrated ? findReturnPath(location.search, document.referrer, location.origin) : paths.home

  // Keep the path in the URL, because phones may discard the tab while the shopper reads the mail with the code.
  useEffect(() => {
    if (hydrated) history.replaceState(history.state, '', toLoginPath(path))
  }, [hydrated, path])

  useEffect(() => {
    if (!loggedIn) return
    saveDraft('login', undefined)
    location.replace(path)
  }, [loggedIn, path])

  return path
}
