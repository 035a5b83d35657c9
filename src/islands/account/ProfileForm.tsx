import { validateProfile } from '#lib/account/forms.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY_CODE } from '#lib/constants.ts'
import { MESSAGES } from '#lib/messages.ts'
import { saveProfile, type ProfileDetails } from '#lib/stores/account.ts'
import { Button } from '../ui/Button.tsx'
import { Failure } from '../ui/Buttons.tsx'
import { Field } from '../ui/Field.tsx'
import { useForm, type FieldState } from '../ui/use-form.ts'
import { PROFILE_FIELDS, toProfile, toValues, type ProfileValues } from './profile-draft.ts'

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
    check: validateProfile,
    send: async typed => {
      await saveProfile(toProfile(typed, details.address.country))
      onSaved()
    },
    errorText: { title: MESSAGES.profileNotSaved, fallback: MESSAGES.tryAgain }
  })

  return (
    <form
      {...form}
      aria-labelledby="profile"
      onInput={() => {
        form.onInput()
        onType(values())
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
        <AddressFields field={field} country={details.address.country} />
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

interface AddressFieldsProps {
  field: (name: keyof ProfileValues) => FieldState
  country: string
}

export function AddressFields({ field, country }: AddressFieldsProps) {
  const line = (name: keyof ProfileValues) => ({ state: field(name), maxLength: ACCOUNT_LIMITS.addressLine })

  return (
    <>
      <h3 className="text-lg">Shipping address</h3>
      <Field
        {...line('address.apartmentOrSuite')}
        label="Apartment, suite"
        placeholder="Apartment, suite, etc. (optional)"
        autoComplete="shipping address-line2"
      />
      <Field {...line('address.street')} label="Street" autoComplete="shipping address-line1" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...line('address.pincode')}
          label="Pincode"
          inputMode="numeric"
          autoComplete="shipping postal-code"
          maxLength={20}
        />
        <Field {...line('address.city')} label="City" autoComplete="shipping address-level2" />
        <Field
          {...line('address.district')}
          label="District"
          placeholder="District (optional)"
          autoComplete="shipping address-level3"
        />
        <Field {...line('address.state')} label="State" autoComplete="shipping address-level1" />
      </div>
      <p>
        <b>Country</b> {country}
      </p>
    </>
  )
}
