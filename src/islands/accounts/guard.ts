import { useEffect } from 'react'
import { paths } from '#lib/paths.ts'
import { loginPath } from '#lib/return-path.ts'
import type { Session } from '#lib/stores/session.ts'
import { useSession } from './use-session.ts'

interface Guard {
  /** Who may see the page; without a role everybody who is logged in. */
  role?: 'admin'
  /** How long a visitor may read why before the login page opens, in ms. */
  after?: number
}

/**
 * Sends visitors of a protected page to the login page and back afterwards, and those without the role home. It only spares
 * them a page without content: what somebody may see is decided by the server at each call.
 */
export function useGuard({ role, after = 0 }: Guard = {}): Session {
  const session = useSession()
  const refused = session.state === 'authenticated' && role !== undefined && session.user.role !== role
  const way = session.state === 'anonymous' ? 'login' : refused ? 'home' : 'stay'

  useEffect(() => {
    if (way === 'stay') return
    const { pathname, search, hash } = location
    const to = way === 'home' ? paths.home : loginPath(`${pathname}${search}${hash}`)
    const timer = setTimeout(() => location.replace(to), after)
    return () => clearTimeout(timer)
  }, [way, after])

  return refused ? { state: 'loading' } : session
}
