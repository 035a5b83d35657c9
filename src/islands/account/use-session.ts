import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { paths, toLoginPath } from '#lib/paths.ts'
import { $session, checkSession, isLoginPending, type SessionState } from '#lib/stores/session.ts'
import { useHydrated } from '../ui/hooks.ts'

const LOADING: SessionState = { state: 'loading' }

/**
 * The state is 'loading' in the prebuilt page and until the server has checked the stored session.
 */
export function useSession(): SessionState {
  const session = useStore($session)
  const hydrated = useHydrated()
  useEffect(() => void checkSession(), [])
  return hydrated ? session : LOADING
}

interface Guard {
  role?: 'admin'
  /** Delay before the redirect, in ms, so that the visitor can read the reason. */
  redirectDelay?: number
}

/**
 * Redirects guests to the login page and users without `role` to the home page. The server checks
 * access again.
 */
export function useGuard({ role, redirectDelay = 0 }: Guard = {}): SessionState {
  const session = useSession()
  const isForbidden =
    session.state === 'authenticated' && role !== undefined && session.user.role !== role
  const target = session.state === 'anonymous' ? 'login' : isForbidden ? 'home' : undefined

  useEffect(() => {
    if (!target || isLoginPending()) return
    const { pathname, search, hash } = location
    const targetPath = target === 'home' ? paths.home : toLoginPath(`${pathname}${search}${hash}`)
    const timer = setTimeout(() => location.replace(targetPath), redirectDelay)
    return () => clearTimeout(timer)
  }, [target, redirectDelay])

  return isForbidden ? { state: 'loading' } : session
}
