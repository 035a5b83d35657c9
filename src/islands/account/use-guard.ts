import { useEffect } from 'react'
import { paths } from '#lib/paths.ts'
import { toLoginPath } from '#lib/return-path.ts'
import type { Session } from '#lib/stores/session.ts'
import { useSession } from './use-session.ts'

interface Guard {
  role?: 'admin'
  /** Delay before the redirect, in ms, so that the visitor can read the reason. */
  redirectDelay?: number
}

/** Redirects guests to the login page and users without `role` to the home page. The server checks access again. */
export function useGuard({ role, redirectDelay = 0 }: Guard = {}): Session {
  const session = useSession()
  const isForbidden = session.state === 'authenticated' && role !== undefined && session.user.role !== role
  const target = session.state === 'anonymous' ? 'login' : isForbidden ? 'home' : undefined

  useEffect(() => {
    if (!target) return
    const { pathname, search, hash } = location
    const targetPath = target === 'home' ? paths.home : toLoginPath(`${pathname}${search}${hash}`)
    const timer = setTimeout(() => location.replace(targetPath), redirectDelay)
    return () => clearTimeout(timer)
  }, [target, redirectDelay])

  return isForbidden ? { state: 'loading' } : session
}
