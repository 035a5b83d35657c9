import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { toLoginPath } from '#lib/return-path.ts'
import { $profile, loadProfile } from '#lib/stores/profile.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useSession } from '../use-session.ts'
import { ProfileCard } from './ProfileCard.tsx'
import { Security } from './Security.tsx'

export function ProfilePage() {
  const session = useSession()
  return (
    <div className="mx-auto max-w-prose pb-4">
      <h1 className="py-6 text-2xl sm:text-3xl">My Profile</h1>
      {session.state === 'loading' && <Loading />}
      {session.state === 'anonymous' && (
        <EmptyState text={MESSAGES.profileLogin}>
          <a href={toLoginPath(paths.profile)} className="button-primary">
            Login
          </a>
        </EmptyState>
      )}
      {session.state === 'authenticated' && <Profile key={session.user._id} userId={session.user._id} />}
    </div>
  )
}

function Profile({ userId }: { userId: string }) {
  const profile = useStore($profile)
  useEffect(() => void loadProfile(userId), [userId])

  if (profile.state === 'loading') return <Loading />
  if (profile.state === 'failed') {
    return (
      <div role="alert">
        <EmptyState text={MESSAGES.profileFailed}>
          <button type="button" className="button-primary" onClick={() => void loadProfile(userId)}>
            Try again
          </button>
        </EmptyState>
      </div>
    )
  }
  return (
    <>
      <ProfileCard userId={userId} details={profile.details} />
      <Security details={profile.details} />
    </>
  )
}

/** As tall as the window, so that the footer stays out of view while the profile loads. */
function Loading() {
  return (
    <p role="status" className="min-h-svh">
      {MESSAGES.profileLoading}
    </p>
  )
}
