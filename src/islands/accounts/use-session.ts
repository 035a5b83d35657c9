import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $session, type Session } from '#lib/stores/session.ts'
import { startSession } from '#lib/stores/session-check.ts'
import { useHydrated } from '../ui/use-hydrated.ts'

const LOADING: Session = { state: 'loading' }

/** Who is there; loading in the prebuilt page and until the shop has said whether the stored session holds. */
export function useSession(): Session {
  const session = useStore($session)
  const hydrated = useHydrated()
  useEffect(() => void startSession(), [])
  return hydrated ? session : LOADING
}
