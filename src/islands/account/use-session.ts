import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $session, type Session } from '#lib/stores/session.ts'
import { checkSession } from '#lib/stores/session-check.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

const LOADING: Session = { state: 'loading' }

/** The state is 'loading' in the prebuilt page and until the server has checked the stored session. */
export function useSession(): Session {
  const session = useStore($session)
  const hydrated = useHydrated()
  useEffect(() => void checkSession(), [])
  return hydrated ? session : LOADING
}
