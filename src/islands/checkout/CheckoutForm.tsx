import { useStore } from '@nanostores/react'
import { type ReactNode, type Ref, type RefObject, useEffect, useState } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { isTypedName, toGroup } from '#lib/account/forms.ts'
import { formatPhone } from '#lib/contract/formats.ts'
import {
  CHECKOUT_FIELDS,
  CHECKOUT_ID,
  CHECKOUT_LABELS,
  type CheckoutShop,
  type CheckoutValues,
  toDeliveryDetails,
  validateCheckout
} from '#lib/checkout/checkout-form.ts'
import { DEFAULT_COUNTRY } from '#lib/constants.ts'
import { t } from '#lib/contract/texts.ts'
import { toShopAddressLines } from '#lib/settings.ts'
import { $delivery, $pincode, choosePickup, rememberPincode } from '#lib/stores/delivery.ts'
import { readDraft, saveDraft } from '#lib/stores/storage.ts'
import { $profile, loadProfile, type ProfileDetails } from '#lib/stores/account.ts'
import type { SessionState } from '#lib/stores/session.ts'
import { findState } from '#lib/contract/states.ts'
import { AddressFields, usePincode } from '../account/AddressFields.tsx'
import { useSession } from '../ui/hooks.ts'
import { Button } from '../ui/Button.tsx'
import { Lines } from '../ui/Facts.tsx'
import { Loading } from '../ui/States.tsx'
import { fieldOf, fillFields, type Form, valuesOf } from '../ui/use-form.ts'
import { DeliveryFields, DetailsFields, type GetField, MethodField } from './CheckoutFields.tsx'
import type { useCheckout } from './use-checkout.ts'

interface CheckoutFormProps {
  checkout: ReturnType<typeof useCheckout>
  shop: CheckoutShop
  isPickup: boolean
  hasEvent: boolean
  errorSummaryRef: Ref<HTMLDivElement>
}

const ORDER_FIELDS: readonly string[] = ['deliveryDate', 'eventAt', 'note', 'gift.message']

export function CheckoutForm(props: CheckoutFormProps) {
  const { checkout, shop, isPickup, hasEvent, errorSummaryRef } = props
  const { form, field } = checkout
  const session = useSession()
  useEffect(() => fillEmpty(form.ref.current, readDraft('checkout') ?? {}), [])
  const { waiting, savedValues, edit } = useSavedDetails(form.ref, session)
  const saveInput = () => {
    form.onInput()
    if (form.ref.current) saveDraft('checkout', checkout.values())
  }
  const { onInput, ...place } = usePincode(form.ref, {
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
      aria-label={t('Checkout')}
      onInput={event => {
        saveInput()
        onInput(event)
      }}
      className="grid gap-6"
    >
      <ErrorSummary field={field} ref={errorSummaryRef} />
      {shop.hasPickup && (
        <Section title={t('Delivery or pickup?')}>
          <MethodField isPickup={isPickup} onChoose={choosePickup} city={shop.address.city} />
        </Section>
      )}
      {waiting && <Loading rows={2} />}
      {saved && (
        <Section title={t(isPickup ? 'Your details' : 'Deliver to')}>
          <SavedDetails values={saved} isPickup={isPickup} onEdit={edit} />
        </Section>
      )}
      <div hidden={waiting || saved !== undefined} className="grid gap-6">
        <Section title={t('Your details')}>
          <DetailsFields field={field} isGuest={session.state !== 'authenticated'} />
        </Section>
        <Section title={t('Delivery address')} hidden={isPickup}>
          <AddressFields
            field={name => field(`shippingAddress.${name}`)}
            {...place}
            country={DEFAULT_COUNTRY}
            landmark={field('shippingAddress.landmark')}
            servedState={shop.servedState}
          />
        </Section>
      </div>
      {isPickup && <PickupPlace shop={shop} />}
      <Section title={t(isPickup ? 'Pickup' : 'Delivery')}>
        <DeliveryFields field={field} shop={shop} isPickup={isPickup} hasEvent={hasEvent} />
      </Section>
    </form>
  )
}

function PickupPlace({ shop: { name, address, hours, phone } }: { shop: CheckoutShop }) {
  const { reply } = useStore($delivery)
  return (
    <Section title={t('Pick up here')}>
      <address className="not-italic">
        <b className="block">{name}</b>
        <Lines lines={[...toShopAddressLines(address), phone]} />
      </address>
      <p className="mt-2 whitespace-pre-line">{reply?.pickupText || hours}</p>
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
        <b className="block">{name}</b>
        {!isPickup && <Lines lines={toAddressLines(shippingAddress)} />}
        <span className="mt-2 block">{formatPhone(phone)}</span>
        <span className="block">{email}</span>
      </address>
      <Button label={t('Edit')} data-edit onClick={onEdit} />
    </div>
  )
}

function ErrorSummary({ field, ref }: { field: GetField; ref: Ref<HTMLDivElement> }) {
  const invalid = CHECKOUT_FIELDS.filter(name => field(name).invalid)
  const hasError = invalid.length > 0
  // Screen readers announce the title first.
  useEffect(() => {
    if (!hasError) return
    const { title } = document
    document.title = t('Error: {title}', { title })
    return () => void (document.title = title)
  }, [hasError])
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
        {t('Please check {count} fields', { count: invalid.length })}
      </h2>
      <ul className="mt-2">
        {invalid.map(name => (
          <li key={name}>
            <a
              href={`#${field(name).id}`}
              className="link inline-flex min-h-target items-center"
              onClick={event => {
                event.preventDefault()
                document.getElementById(field(name).id)?.focus()
              }}
            >
              {field(name).problem ?? CHECKOUT_LABELS[name]}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function fillFromProfile(form: Form, { name, email, phoneNumber, address }: ProfileDetails) {
  fillEmpty(form, {
    'customerDetails.email': email,
    'customerDetails.name': isTypedName({ name, email }) ? name : '',
    'customerDetails.phone': phoneNumber
  })
  // Don't mix a typed address with the profile's.
  if (fieldOf(form, 'shippingAddress.street')?.value) return
  // The remembered pincode can be that of another address.
  if (address.street !== '' && address.pincode !== '')
    fillFields(form, {
      'shippingAddress.pincode': '',
      'shippingAddress.district': '',
      'shippingAddress.state': ''
    })
  const state = findState(address.state)
  fillEmpty(form, toGroup({ ...address, state }, 'shippingAddress'))
}

function fillEmpty(form: Form, values: Partial<Record<string, unknown>>) {
  for (const name of CHECKOUT_FIELDS) {
    const field = fieldOf(form, name)
    const text = values[name]
    if (field && field.value === '' && typeof text === 'string') field.value = text
  }
}

export function useProfile(session: SessionState) {
  const userId = session.state === 'authenticated' ? session.user._id : undefined
  useEffect(() => {
    if (userId !== undefined) void loadProfile(userId)
  }, [userId])
  return { userId, profile: useStore($profile) }
}

function useSavedDetails(form: RefObject<Form>, session: SessionState) {
  const { userId, profile } = useProfile(session)
  const [savedValues, setSavedValues] = useState<CheckoutValues>()

  useEffect(() => {
    if (userId === undefined || profile.state !== 'ready') return
    const untouched = readDraft('checkout') === undefined
    fillFromProfile(form.current, profile.value)
    const values = valuesOf(form.current, CHECKOUT_FIELDS)
    const problems = validateCheckout({ ...values, deliveryDate: '', eventAt: '' }, { days: [] })
    if (untouched && Object.keys(problems).length === 0) setSavedValues(values)
  }, [userId, profile.state])

  const waiting =
    session.state === 'loading' || (userId !== undefined && profile.state === 'loading')
  useEffect(() => {
    if (!waiting) fillEmpty(form.current, { 'shippingAddress.pincode': $pincode.get() })
  }, [waiting])

  return { waiting, savedValues, edit: () => setSavedValues(undefined) }
}
