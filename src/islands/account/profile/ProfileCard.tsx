import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ProfileDetails } from '#lib/stores/profile.ts'
import { ProfileForm } from './ProfileForm.tsx'
import { ProfileView } from './ProfileView.tsx'
import { useProfileDraft } from './use-profile-draft.ts'

export function ProfileCard({ userId, details }: { userId: string; details: ProfileDetails }) {
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
