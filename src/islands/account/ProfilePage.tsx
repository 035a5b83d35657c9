import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/account/forms.ts'
import { paths, toLoginPath } from '#lib/paths.ts'
import { $profile, loadProfile, type ProfileDetails } from '#lib/stores/account.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { EmptyState, LoadFailed, StillWaiting } from '../ui/States.tsx'
import { FactRow, Lines } from '../ui/Facts.tsx'
import { ProfileForm, useProfileDraft } from './ProfileForm.tsx'
import { Security } from './Security.tsx'
import { useSession } from '../ui/hooks.ts'
import { MESSAGES } from '#lib/messages.ts'

export function ProfilePage() {
  const session = useSession()
  return (
    <div className="mx-auto max-w-prose pb-4">
      <h1 className="py-6 text-2xl sm:text-3xl">My Profile</h1>
      {session.state === 'loading' && <ProfileLoading />}
      {session.state === 'anonymous' && (
        <EmptyState text={MESSAGES.profileLogin}>
          <ButtonLink look="primary" label="Login" href={toLoginPath(paths.profile)} />
        </EmptyState>
      )}
      {session.state === 'authenticated' && (
        <Profile key={session.user._id} userId={session.user._id} />
      )}
    </div>
  )
}

function Profile({ userId }: { userId: string }) {
  const profile = useStore($profile)
  useEffect(() => void loadProfile(userId), [userId])

  if (profile.state === 'loading') return <ProfileLoading />
  if (profile.state === 'failed')
    return <LoadFailed text={MESSAGES.profileFailed} onRetry={() => void loadProfile(userId)} />
  return (
    <>
      <ProfileCard userId={userId} details={profile.value} />
      <Security account={profile.value} />
    </>
  )
}

/** As tall as the window, so that the footer stays out of view. */
function ProfileLoading() {
  return (
    <div className="min-h-svh [@media(scripting:none)]:hidden">
      <p role="status">{MESSAGES.profileLoading}</p>
      <StillWaiting />
    </div>
  )
}

function ProfileCard({ userId, details }: { userId: string; details: ProfileDetails }) {
  const { draft, editing, save, edit, cancel, clear } = useProfileDraft(userId)
  const card = useRef<HTMLElement>(null)

  const switchTo = (change: () => void, focus: string) => {
    flushSync(change)
    card.current?.querySelector<HTMLElement>(focus)?.focus()
  }

  return (
    <section ref={card} aria-labelledby="profile" className="card p-5 sm:p-8">
      <h2 id="profile" className="text-xl">
        Your details
      </h2>
      {editing ? (
        <ProfileForm
          details={details}
          draft={draft}
          onType={save}
          onSaved={() => switchTo(clear, '[data-edit]')}
          onCancel={values => switchTo(() => cancel(values), '[data-edit]')}
        />
      ) : (
        <ProfileView details={details} onEdit={() => switchTo(edit, '[name=name]')} />
      )}
    </section>
  )
}

const NOT_PROVIDED = <span className="text-ink/70">Not added yet</span>

function ProfileView({ details, onEdit }: { details: ProfileDetails; onEdit: () => void }) {
  const { name, email, phoneNumber, address } = details
  const lines = toAddressLines(address)
  return (
    <>
      <dl className="mt-4 grid gap-4">
        <FactRow term="Name">{name || NOT_PROVIDED}</FactRow>
        <FactRow term="Email">{email}</FactRow>
        <FactRow term="Phone number">
          {phoneNumber ? formatPhone(phoneNumber) : NOT_PROVIDED}
        </FactRow>
        <FactRow term="Shipping address">
          {lines.length > 0 ? <Lines lines={lines} /> : NOT_PROVIDED}
        </FactRow>
      </dl>
      <Button look="primary" label="Edit" data-edit className="mt-6" onClick={onEdit} />
    </>
  )
}
