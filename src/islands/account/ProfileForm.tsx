import { findStateConflict } from '#lib/account/address.ts'
import { removeSpaces, toProblems, validateProfile } from '#lib/account/forms.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY_CODE } from '#lib/constants.ts'
import { ACCOUNT_MESSAGES } from '#lib/account/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { saveProfile, type ProfileDetails } from '#lib/stores/account.ts'
import { $delivery, loadDelivery } from '#lib/stores/delivery.ts'
import { Button } from '../ui/Button.tsx'
import { Failure } from '../ui/Buttons.tsx'
import { Field } from '../ui/Field.tsx'
import { useForm, type FieldState } from '../ui/use-form.ts'
import { AddressFields } from './AddressFields.tsx'
import { PROFILE_FIELDS, toProfile, toValues, type ProfileValues } from './profile-draft.ts'
import { usePincode } from './use-pincode.ts'

interface ProfileFormProps {
  details: ProfileDetails
  draft: Partial<ProfileValues>
  onType: (values: ProfileValues) => void
  onSaved: () => void
  onCancel: (values: ProfileValues) => void
}

export function ProfileForm({ details, draft, onType, onSaved, onCancel }: ProfileFormProps) {
  const { form, field, failure, busy, values } = useForm<keyof ProfileValues>({
    names: PROFILE_FIELDS,
    initial: { ...toValues(details), ...draft },
    check: typed => ({
      ...validateProfile(typed),
      ...toProblems({
        'address.state': findStateConflict(
          $delivery.get(),
          removeSpaces(typed['address.pincode']),
          typed['address.state']
        )
      })
    }),
    send: async typed => {
      await saveProfile(toProfile(typed, details.address.country))
      onSaved()
    },
    errorText: { title: ACCOUNT_MESSAGES.profileNotSaved, fallback: MESSAGES.tryAgain }
  })

  const save = () => {
    form.onInput()
    onType(values())
  }
  const { lookup, conflict, onInput } = usePincode(form.ref, {
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
        <legend className="sr-only">Your details</legend>
        <Field state={field('name')} label="Name" autoComplete="name" maxLength={ACCOUNT_LIMITS.name} />
        <Field
          state={EMAIL_FIELD}
          label="Email"
          type="email"
          value={details.email}
          readOnly
          className="[&_input]:bg-cream-deep"
          hint="This is your login. To change it, see “Security and your data” below."
        />
        <Field
          state={field('phoneNumber')}
          label="Phone number"
          prefix={DEFAULT_COUNTRY_CODE}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          hint="Only for calls about your delivery."
        />
        <h3 className="text-lg">Shipping address</h3>
        <AddressFields
          field={name => field(`address.${name}`)}
          lookup={lookup}
          conflict={conflict}
          country={details.address.country}
          hasPlaceholders
        />
        <Failure failure={failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="primary" label={busy ? 'Saving…' : 'Save'} />
          <Button label="Cancel" onClick={() => onCancel(values())} />
        </div>
      </fieldset>
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
