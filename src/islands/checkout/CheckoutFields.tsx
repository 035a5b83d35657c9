import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import {
  CHECKOUT_LABELS,
  type CheckoutField,
  type CheckoutShop,
  type CheckoutValues,
  countLettersLeft,
  findLengthProblem,
  isOpenDay,
  listDayChoices
} from '#lib/checkout/checkout-form.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY_CODE, ORDER_LIMITS } from '#lib/constants.ts'
import { plural, t, texts } from '#lib/contract/texts.ts'
import { groupBy } from '#lib/group-by.ts'
import { formatDay } from '#lib/order.ts'
import { $offer } from '#lib/stores/delivery.ts'
import { readDraft } from '#lib/stores/storage.ts'
import { formatMonth } from '#lib/time.ts'
import { EmailField, Field, SelectField, TextArea } from '../ui/Field.tsx'
import type { FieldState } from '../ui/use-form.ts'

export type GetField = (name: CheckoutField) => FieldState

export function DetailsFields({ field, isGuest }: { field: GetField; isGuest: boolean }) {
  const line = (name: CheckoutField) => ({ state: field(name), label: CHECKOUT_LABELS[name] })
  return (
    <div className="grid gap-5">
      <EmailField
        state={field('customerDetails.email')}
        autoComplete="email"
        maxLength={ACCOUNT_LIMITS.email}
        hint={t(
          isGuest ? 'For your order confirmation and a login code.' : 'For your order confirmation.'
        )}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...line('customerDetails.name')}
          autoComplete="name"
          maxLength={ACCOUNT_LIMITS.name}
        />
        <Field
          {...line('customerDetails.phone')}
          prefix={DEFAULT_COUNTRY_CODE}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          hint={t('Only for calls about your delivery.')}
        />
      </div>
    </div>
  )
}

interface DeliveryFieldsProps {
  field: GetField
  shop: CheckoutShop
  isPickup: boolean
  hasEvent: boolean
}

export function DeliveryFields({ field, shop, isPickup, hasEvent }: DeliveryFieldsProps) {
  return (
    <div className="grid gap-5">
      <DayField state={field('deliveryDate')} shop={shop} isPickup={isPickup} />
      {hasEvent && (
        <Field
          {...optional(field, 'eventAt')}
          type="datetime-local"
          hint={t('So that your order is ready in time.')}
        />
      )}
      {shop.calendar.orderNote && (
        <TextArea {...optional(field, 'note')} maxLength={ORDER_LIMITS.note} rows={3} />
      )}
      <GiftFields field={field} />
    </div>
  )
}

function optional(field: GetField, name: CheckoutField) {
  const label = CHECKOUT_LABELS[name]
  return { state: field(name), label: t('{label} (optional)', { label }) }
}

const FEW_LETTERS = 40

function GiftFields({ field }: { field: GetField }) {
  const [draft] = useState(() => readDraft<CheckoutValues>('checkout'))
  const [isGift, setIsGift] = useState(Boolean(draft?.isGift))
  const [message, setMessage] = useState(String(draft?.['gift.message'] ?? ''))
  const left = countLettersLeft(message)
  return (
    <div className="grid gap-5">
      <label className="flex cursor-pointer items-start gap-3">
        <input
          type="checkbox"
          name="isGift"
          defaultChecked={isGift}
          onChange={({ currentTarget }) => setIsGift(currentTarget.checked)}
          className="mt-0.5 size-6 shrink-0 accent-chilli"
        />
        <span>
          <b className="block">{CHECKOUT_LABELS.isGift}</b>
          {t('We leave all prices out of the parcel.')}
        </span>
      </label>
      <div hidden={!isGift} className="grid gap-5">
        <Field
          {...optional(field, 'gift.name')}
          maxLength={ACCOUNT_LIMITS.name}
          autoComplete="off"
          hint={t('This name goes on the parcel.')}
        />
        <TextArea
          {...optional(field, 'gift.message')}
          maxLength={5 * ORDER_LIMITS.giftMessage}
          rows={3}
          onInput={({ currentTarget }) => setMessage(currentTarget.value)}
          hint={
            <span aria-live="polite">
              {findLengthProblem(message) ??
                (left < FEW_LETTERS
                  ? plural(left, '{count} letter left', '{count} letters left')
                  : t('We put it into the parcel.'))}
            </span>
          }
        />
      </div>
    </div>
  )
}

const DAY_TEXTS = texts({ few: 'few places left', full: 'full', closed: 'closed' })

type DayFieldProps = Pick<DeliveryFieldsProps, 'shop' | 'isPickup'> & { state: FieldState }

function DayField({ state, shop, isPickup }: DayFieldProps) {
  const offer = useStore($offer)
  // The earliest date changes at midnight.
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (state.invalid) setNow(Date.now())
  }, [state.invalid])
  const days = listDayChoices(offer, shop, now)
  const first = days.find(isOpenDay)

  return (
    <SelectField
      state={state}
      label={isPickup ? t('Pickup date') : CHECKOUT_LABELS.deliveryDate}
      choices={[['', t('As soon as possible')]]}
      hint={
        first &&
        t(isPickup ? 'Earliest pickup: {day}.' : 'Earliest delivery: {day}.', {
          day: formatDay(first.date)
        })
      }
      onFocus={() => setNow(Date.now())}
    >
      {[...groupBy(days, ({ date }) => date.slice(0, 7))].map(([month, ofMonth]) => (
        <optgroup key={month} label={formatMonth(month)}>
          {ofMonth.map(day => (
            <option key={day.date} value={day.date} disabled={!isOpenDay(day)}>
              {[formatDay(day.date), day.state !== 'open' && DAY_TEXTS[day.state]]
                .filter(Boolean)
                .join(' · ')}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

interface MethodFieldProps {
  isPickup: boolean
  onChoose: (isPickup: boolean) => void
  city: string
}

export function MethodField({ isPickup, onChoose, city }: MethodFieldProps) {
  const choices = [
    { label: t('Delivery'), text: t('To your address'), value: false },
    { label: t('Pickup'), text: t('You pick it up in {city}', { city }), value: true }
  ]
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="sr-only">{t('Delivery or pickup')}</legend>
      {choices.map(({ label, text, value }) => (
        <label
          key={label}
          className="flex cursor-pointer items-center gap-3 rounded-xl border border-ink/50 p-3 has-[:checked]:border-chilli has-[:checked]:bg-cream-deep"
        >
          <input
            type="radio"
            name="method"
            checked={isPickup === value}
            onChange={() => onChoose(value)}
            className="size-6 shrink-0 accent-chilli"
          />
          <span>
            <b className="block">{label}</b>
            {text}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
