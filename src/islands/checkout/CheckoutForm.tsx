import { useStore } from '@nanostores/react'
import { useEffect, type ReactNode, type Ref } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/account/forms.ts'
import {
  CHECKOUT_FIELDS,
  CHECKOUT_ID,
  CHECKOUT_LABELS,
  toDeliveryDetails,
  type CheckoutField,
  type CheckoutValues
} from '#lib/checkout/checkout-form.ts'
import type { CheckoutShop } from '#lib/checkout/order-rules.ts'
import { DEFAULT_COUNTRY } from '#lib/constants.ts'
import { toShopAddressLines } from '#lib/settings.ts'
import { $delivery, choosePickup, rememberPincode } from '#lib/stores/delivery.ts'
import { AddressFields, usePincode } from '../account/AddressFields.tsx'
import { useSession } from '../ui/hooks.ts'
import { Button } from '../ui/Button.tsx'
import { Lines } from '../ui/Facts.tsx'
import { Loading } from '../ui/States.tsx'
import type { FieldState } from '../ui/use-form.ts'
import { DeliveryFields, DetailsFields, MethodField, type GetField } from './CheckoutFields.tsx'
import { useCheckoutDraft, useSavedDetails } from './fill-form.ts'
import type { useCheckout } from './use-checkout.ts'

interface CheckoutFormProps {
  checkout: ReturnType<typeof useCheckout>
  shop: CheckoutShop
  isPickup: boolean
  hasEvent: boolean
  errorSummaryRef: Ref<HTMLDivElement>
}

const ORDER_FIELDS: readonly CheckoutField[] = ['deliveryDate', 'eventAt', 'note']

export function CheckoutForm(props: CheckoutFormProps) {
  const { checkout, shop, isPickup, hasEvent, errorSummaryRef } = props
  const { form, field } = checkout
  const session = useSession()
  const { save } = useCheckoutDraft(form.ref)
  const { waiting, savedValues, edit } = useSavedDetails(form.ref, session)
  const saveInput = () => {
    form.onInput()
    save()
  }
  const { lookup, conflict, onInput } = usePincode(form.ref, {
    prefix: 'shippingAddress',
    ask: rememberPincode,
    onFilled: saveInput
  })
  const hasProblem = CHECKOUT_FIELDS.some(
    name => !ORDER_FIELDS.includes(name) && field(name).invalid
  )
  const saved = hasProblem ? undefined : savedValues

  return (
    <form
      {...form}
      id={CHECKOUT_ID}
      aria-label="Checkout"
      onInput={event => {
        saveInput()
        onInput(event)
      }}
      className="grid gap-6"
    >
      <ErrorSummary field={field} ref={errorSummaryRef} />
      {shop.hasPickup && (
        <Section title="Delivery or pickup?">
          <MethodField isPickup={isPickup} onChoose={choosePickup} city={shop.address.city} />
        </Section>
      )}
      {waiting && <Loading rows={2} />}
      {saved && (
        <Section title={isPickup ? 'Your details' : 'Deliver to'}>
          <SavedDetails values={saved} isPickup={isPickup} onEdit={edit} />
        </Section>
      )}
      <div hidden={waiting || saved !== undefined} className="grid gap-6">
        <Section title="Your details">
          <DetailsFields field={field} isGuest={session.state !== 'authenticated'} />
        </Section>
        <Section title="Delivery address" hidden={isPickup}>
          <AddressFields
            field={name => field(`shippingAddress.${name}`)}
            lookup={lookup}
            conflict={conflict}
            country={DEFAULT_COUNTRY}
            landmark={field('shippingAddress.landmark')}
            servedState={shop.servedState}
          />
        </Section>
      </div>
      {isPickup && <PickupPlace shop={shop} />}
      <Section title={isPickup ? 'Pickup' : 'Delivery'}>
        <DeliveryFields field={field} shop={shop} isPickup={isPickup} hasEvent={hasEvent} />
      </Section>
    </form>
  )
}

function PickupPlace({ shop: { name, address, hours, phone } }: { shop: CheckoutShop }) {
  const { reply } = useStore($delivery)
  return (
    <Section title="Pick up here">
      <address className="not-italic">
        <b className="block">{name}</b>
        <Lines lines={[...toShopAddressLines(address), phone]} />
      </address>
      <p className="mt-2 whitespace-pre-line break-words">{reply?.pickupText || hours}</p>
    </Section>
  )
}

function Section({
  title,
  hidden,
  children
}: {
  title: string
  hidden?: boolean
  children: ReactNode
}) {
  return (
    <section hidden={hidden} className="card p-4 sm:p-6">
      <h2 className="mb-4 text-xl">{title}</h2>
      {children}
    </section>
  )
}

interface SavedDetailsProps {
  values: CheckoutValues
  isPickup: boolean
  onEdit: () => void
}

function SavedDetails({ values, isPickup, onEdit }: SavedDetailsProps) {
  const { customerDetails, shippingAddress } = toDeliveryDetails(values)
  const { name, email, phone } = customerDetails
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <address className="min-w-0 not-italic">
        <b className="block break-words">{name}</b>
        {!isPickup && <Lines lines={toAddressLines(shippingAddress)} />}
        <span className="mt-2 block break-words">{formatPhone(phone)}</span>
        <span className="block break-words">{email}</span>
      </address>
      <Button label="Edit" data-edit onClick={onEdit} />
    </div>
  )
}

function ErrorSummary({ field, ref }: { field: GetField; ref: Ref<HTMLDivElement> }) {
  const invalid = CHECKOUT_FIELDS.filter(name => field(name).invalid)
  useErrorInTitle(invalid.length > 0)
  if (invalid.length < 2) return null

  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-labelledby="checkout-problems"
      className="rounded-card border-2 border-chilli bg-paper p-4 sm:p-6"
    >
      <h2 id="checkout-problems" className="text-xl text-chilli">
        Please check {invalid.length} fields
      </h2>
      <ul className="mt-2">
        {invalid.map(name => (
          <li key={name}>
            <ProblemLink {...field(name)} label={CHECKOUT_LABELS[name]} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function ProblemLink({ id, problem, label }: FieldState & { label: string }) {
  return (
    <a
      href={`#${id}`}
      className="link inline-flex min-h-target items-center"
      onClick={event => {
        event.preventDefault()
        document.getElementById(id)?.focus()
      }}
    >
      {problem ?? label}
    </a>
  )
}

/** Puts "Error" into the document title, because screen readers announce the title first. */
function useErrorInTitle(hasError: boolean): void {
  useEffect(() => {
    if (!hasError) return
    const { title } = document
    document.title = `Error: ${title}`
    return () => {
      document.title = title
    }
  }, [hasError])
}
