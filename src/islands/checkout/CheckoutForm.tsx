import type { ReactNode, Ref } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { CHECKOUT_FIELDS, toDeliveryDetails, type CheckoutValues } from '#lib/checkout/checkout-form.ts'
import { formatPhone } from '#lib/account/phone.ts'
import { useSession } from '../account/use-session.ts'
import { Lines } from '../ui/Facts.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { AddressFields, DeliveryField, DetailsFields } from './CheckoutFields.tsx'
import { ErrorSummary } from './ErrorSummary.tsx'
import { useCheckoutDraft, usePincode, useSavedDetails } from './fill-form.ts'
import type { useCheckout } from './use-checkout.ts'

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

function SavedDetails({ values, onEdit }: { values: CheckoutValues; onEdit: () => void }) {
  const { customerDetails, shippingAddress } = toDeliveryDetails(values)
  const { name, email, phone } = customerDetails
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <address className="min-w-0 not-italic">
        <b className="block break-words">{name}</b>
        <Lines lines={toAddressLines(shippingAddress)} />
        <span className="mt-2 block break-words">{formatPhone(phone)}</span>
        <span className="block break-words">{email}</span>
      </address>
      <button type="button" className="button-quiet" onClick={onEdit}>
        Edit
      </button>
    </div>
  )
}
