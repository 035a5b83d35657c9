import type { ReactNode, Ref } from 'react'
import { CHECKOUT_FIELDS } from '#lib/checkout/checkout-form.ts'
import { useSession } from '../account/use-session.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { AddressFields } from './AddressFields.tsx'
import { DeliveryField } from './DeliveryField.tsx'
import { DetailsFields } from './DetailsFields.tsx'
import { ErrorSummary } from './ErrorSummary.tsx'
import { SavedDetails } from './SavedDetails.tsx'
import type { useCheckout } from './use-checkout.ts'
import { useCheckoutDraft } from './use-checkout-draft.ts'
import { usePincode } from './use-pincode.ts'
import { useSavedDetails } from './use-saved-details.ts'

interface CheckoutFormProps {
  id: string
  checkout: ReturnType<typeof useCheckout>
  errorSummaryRef: Ref<HTMLDivElement>
}

export function CheckoutForm({ id, checkout: { form, field }, errorSummaryRef }: CheckoutFormProps) {
  const { save } = useCheckoutDraft(form.ref)
  const { waiting, savedValues, edit } = useSavedDetails(form.ref, useSession())
  const onInput = () => {
    form.onInput()
    save()
  }
  const { pincodePlace, lookUpPincode } = usePincode(form.ref, onInput)
  const hasProblem = CHECKOUT_FIELDS.some(name => name !== 'deliveryDate' && field(name).invalid)
  const saved = hasProblem ? undefined : savedValues

  return (
    <form
      {...form}
      id={id}
      aria-label="Checkout"
      onInput={onInput}
      onBlur={event => {
        form.onBlur(event)
        save()
      }}
      className="grid gap-6"
    >
      <ErrorSummary field={field} ref={errorSummaryRef} />
      {waiting && <Skeleton rows={2} />}
      {saved && (
        <Section title="Deliver to">
          <SavedDetails values={saved} onEdit={edit} />
        </Section>
      )}
      <div hidden={waiting || saved !== undefined} className="grid gap-6">
        <Section title="Your details">
          <DetailsFields field={field} />
        </Section>
        <Section title="Delivery address">
          <AddressFields field={field} place={pincodePlace} onPincode={() => void lookUpPincode()} />
        </Section>
      </div>
      <Section title="Delivery">
        <DeliveryField state={field('deliveryDate')} />
      </Section>
    </form>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card p-4 sm:p-6">
      <h2 className="mb-4 text-xl">{title}</h2>
      {children}
    </section>
  )
}
