import { useEffect } from 'react'
import { paths } from '#lib/paths.ts'
import { loginPath, returnPath } from '#lib/return-path.ts'
import { keepDraft } from '#lib/stores/drafts.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

/** Where somebody goes who has logged in; once `loggedIn` they do. */
export function useWayBack(loggedIn: boolean): string {
  const hydrated = useHydrated()
  const way = hydrated ? returnPath(location.search, document.referrer, location.origin) : paths.home

  // In the address it survives a reload, and the phone that drops the tab while the mail with the code is read.
  useEffect(() => {
    if (hydrated) history.replaceState(history.state, '', loginPath(way))
  }, [hydrated, way])

  useEffect(() => {
    if (!loggedIn) return
    keepDraft('login', undefined)
    location.replace(way)
  }, [loggedIn, way])

  return way
}
