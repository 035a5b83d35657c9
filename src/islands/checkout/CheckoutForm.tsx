import type { ReactNode, Ref } from 'react'
import { CHECKOUT_FIELDS } from '#lib/checkout/checkout-form.ts'
import { useSession } from '../accounts/use-session.ts'
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
  summary: Ref<HTMLDivElement>
}

/** Whom the order is for, where it goes and when. */
export function CheckoutForm({ id, checkout: { form, field }, summary }: CheckoutFormProps) {
  const { keep } = useCheckoutDraft(form.ref)
  const { waiting, shown, edit } = useSavedDetails(form.ref, useSession())
  const typed = () => {
    form.onInput()
    keep()
  }
  const { place, look } = usePincode(form.ref, typed)
  const wrong = CHECKOUT_FIELDS.some(name => name !== 'deliveryDate' && field(name).invalid)
  const saved = shown && !wrong ? shown : undefined

  return (
    <form
      {...form}
      id={id}
      aria-label="Checkout"
      onInput={typed}
      onBlur={event => {
        form.onBlur(event)
        keep()
      }}
      className="grid gap-6"
    >
      <ErrorSummary field={field} ref={summary} />
      {waiting && <Skeleton rows={2} />}
      {saved && (
        <Part title="Deliver to">
          <SavedDetails values={saved} onEdit={edit} />
        </Part>
      )}
      <div hidden={waiting || saved !== undefined} className="grid gap-6">
        <Part title="Your details">
          <DetailsFields field={field} />
        </Part>
        <Part title="Delivery address">
          <AddressFields field={field} place={place} onPincode={() => void look()} />
        </Part>
      </div>
      <Part title="When">
        <DeliveryField state={field('deliveryDate')} />
      </Part>
    </form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card p-4 sm:p-6">
      <h2 className="mb-4 text-xl">{title}</h2>
      {children}
    </section>
  )
}
