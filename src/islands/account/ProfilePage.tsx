import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { findStateConflict, toAddressLines } from '#lib/account/address.ts'
import { readGroup, toGroup, toProblems, validateProfile } from '#lib/account/forms.ts'
import { paths, toLoginPath } from '#lib/paths.ts'
import { $profile, loadProfile, type ProfileDetails, saveProfile } from '#lib/stores/account.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatPhone, normalizePhone, toDigits } from '#lib/contract/formats.ts'
import { readDraft, saveDraft } from '#lib/stores/storage.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY_CODE } from '#lib/constants.ts'
import { $delivery, loadDelivery } from '#lib/stores/delivery.ts'
import { t } from '#lib/contract/texts.ts'
import { findState } from '#lib/contract/states.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { EmptyState, LoadFailed, StillWaiting } from '../ui/States.tsx'
import { Fact, Lines } from '../ui/Facts.tsx'
import { useSession } from '../ui/hooks.ts'
import { Failure } from '../ui/Buttons.tsx'
import { Field } from '../ui/Field.tsx'
import { type FieldState, useForm } from '../ui/use-form.ts'
import { LanguageChoice, Security } from './ProfileSections.tsx'
import { AddressFields, usePincode } from './AddressFields.tsx'

export function ProfilePage() {
  const session = useSession()
  return (
    <div className="mx-auto max-w-prose pb-4">
      <h1 className="py-6 text-2xl sm:text-3xl">{t('My Profile')}</h1>
      {session.state === 'loading' && <ProfileLoading />}
      {session.state === 'anonymous' && (
        <EmptyState text={t('Please login to view your profile.')}>
          <ButtonLink look="primary" label={t('Login')} href={toLoginPath(paths.profile)} />
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
    return (
      <LoadFailed text={t('Failed to load profile.')} onRetry={() => void loadProfile(userId)} />
    )
  return (
    <>
      <ProfileCard userId={userId} details={profile.value} />
      <LanguageChoice />
      <Security account={profile.value} />
    </>
  )
}

/** Keeps the footer out of view. */
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
        {t('Your details')}
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

function NotProvided() {
  return <span className="text-ink/70">{t('Not added yet')}</span>
}

function ProfileView({ details, onEdit }: { details: ProfileDetails; onEdit: () => void }) {
  const { name, email, phoneNumber, address } = details
  const lines = toAddressLines(address)
  return (
    <>
      <dl className="mt-4 grid gap-4">
        <Fact inRow term={t('Name')}>
          {name || <NotProvided />}
        </Fact>
        <Fact inRow term={t('Email')}>
          {email}
        </Fact>
        <Fact inRow term={t('Phone number')}>
          {phoneNumber ? formatPhone(phoneNumber) : <NotProvided />}
        </Fact>
        <Fact inRow term={t('Shipping address')}>
          {lines.length > 0 ? <Lines lines={lines} /> : <NotProvided />}
        </Fact>
      </dl>
      <Button look="primary" label={t('Edit')} data-edit className="mt-6" onClick={onEdit} />
    </>
  )
}

interface ProfileFormProps {
  details: ProfileDetails
  draft: Partial<ProfileValues>
  onType: (values: ProfileValues) => void
  onSaved: () => void
  onCancel: (values: ProfileValues) => void
}

function ProfileForm({ details, draft, onType, onSaved, onCancel }: ProfileFormProps) {
  const { form, field, failure, busy, values } = useForm<keyof ProfileValues>({
    names: PROFILE_FIELDS,
    initial: { ...toValues(details), ...draft },
    check: typed => ({
      ...validateProfile(typed),
      ...toProblems({
        'address.state': findStateConflict(
          $delivery.get(),
          toDigits(typed['address.pincode']),
          typed['address.state']
        )
      })
    }),
    send: async typed => {
      const { country } = details.address
      const pincode = toDigits(typed['address.pincode'])
      await saveProfile({
        name: typed.name,
        phoneNumber: normalizePhone(typed.phoneNumber),
        address: { ...readGroup(typed, 'address'), pincode, country }
      })
      onSaved()
    },
    errorText: { title: MESSAGES.profileNotSaved }
  })

  const save = () => {
    form.onInput()
    onType(values())
  }
  const { onInput, ...place } = usePincode(form.ref, {
    prefix: 'address',
    ask: pincode => void loadDelivery(pincode),
    onFilled: save
  })

  return (
    <form
      {...form}
      aria-labelledby="profile"
      onInput={event => {
        save()
        onInput(event)
      }}
    >
      <fieldset disabled={busy} className="mt-4 grid gap-5">
        <legend className="sr-only">{t('Your details')}</legend>
        <Field
          state={field('name')}
          label={t('Name')}
          autoComplete="name"
          maxLength={ACCOUNT_LIMITS.name}
        />
        <Field
          state={EMAIL_FIELD}
          label={t('Email')}
          type="email"
          value={details.email}
          readOnly
          className="[&_input]:bg-cream-deep"
          hint={t('This is your login. To change it, see “Security and your data” below.')}
        />
        <Field
          state={field('phoneNumber')}
          label={t('Phone number')}
          prefix={DEFAULT_COUNTRY_CODE}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          hint={t('Only for calls about your delivery.')}
        />
        <h3 className="text-lg">{t('Shipping address')}</h3>
        <AddressFields
          field={name => field(`address.${name}`)}
          {...place}
          country={details.address.country}
          hasPlaceholders
        />
        <Failure failure={failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="primary" label={t(busy ? 'Saving…' : 'Save')} />
          <Button label={t('Cancel')} onClick={() => onCancel(values())} />
        </div>
      </fieldset>
      {busy && <StillWaiting />}
    </form>
  )
}

const EMAIL_FIELD: FieldState = {
  name: 'email',
  id: 'profile-email',
  invalid: false,
  problem: undefined,
  describedBy: 'profile-email-problem'
}

/** The server uses the same names in its field errors. */
const PROFILE_FIELDS = [
  'name',
  'phoneNumber',
  'address.pincode',
  'address.apartmentOrSuite',
  'address.street',
  'address.city',
  'address.district',
  'address.state'
] as const

type ProfileValues = Record<(typeof PROFILE_FIELDS)[number], string>

function toValues({ name, phoneNumber, address }: ProfileDetails): ProfileValues {
  const state = findState(address.state) || address.state
  return { name, phoneNumber, ...toGroup({ ...address, state }, 'address') }
}

interface Draft {
  userId: string
  values: Partial<ProfileValues>
  editing: boolean
}

function useProfileDraft(userId: string) {
  const [{ values, editing }, setDraft] = useState(() => restoreDraft(userId))

  const setAndSave = (draft: Pick<Draft, 'values' | 'editing'>) => {
    setDraft(draft)
    saveDraft('profile', Object.keys(draft.values).length > 0 ? { userId, ...draft } : undefined)
  }
  return {
    draft: values,
    editing,
    edit: () => setAndSave({ values, editing: true }),
    save: (typed: ProfileValues) =>
      saveDraft('profile', { userId, values: typed, editing: true } satisfies Draft),
    cancel: (typed: ProfileValues) => setAndSave({ values: typed, editing: false }),
    clear: () => setAndSave({ values: {}, editing: false })
  }
}

function restoreDraft(userId: string): Pick<Draft, 'values' | 'editing'> {
  const stored = readDraft<Draft>('profile')
  if (stored?.userId !== userId || typeof stored.values !== 'object' || stored.values === null)
    return { values: {}, editing: false }
  const texts = Object.entries(stored.values).filter(([, value]) => typeof value === 'string')
  return { values: Object.fromEntries(texts), editing: stored.editing === true }
}
