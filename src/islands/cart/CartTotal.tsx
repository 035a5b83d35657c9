import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { focusInMiddle, onVisible } from '#lib/browser.ts'
import type { CartView } from '#lib/cart/view.ts'
import { CHECKOUT_ID, type CheckoutShop, findMissingText } from '#lib/checkout/checkout-form.ts'
import { couponProblemText } from '#lib/checkout/messages.ts'
import { reopeningText } from '#lib/delivery/calendar.ts'
import { t, text } from '#lib/contract/texts.ts'
import { normalizeCouponCode } from '#lib/contract/formats.ts'
import { describePlace } from '#lib/delivery/place.ts'
import { formatPaise, formatRupees, toPaise, toRupees } from '#lib/money.ts'
import { $coupon, $lostCoupon, setCoupon, type SavedCoupon } from '#lib/stores/coupon.ts'
import { applyCoupon } from '#lib/stores/quote.ts'
import {
  $delivery,
  $offer,
  $pincode,
  $wantsPickup,
  forgetDelivery,
  loadDelivery,
  toItemList
} from '#lib/stores/delivery.ts'
import { CART_SYNC_DEBOUNCE } from '#lib/time.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Failure, SubmitButton } from '../ui/Buttons.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Field } from '../ui/Field.tsx'
import { StillWaiting } from '../ui/States.tsx'
import { useForm } from '../ui/use-form.ts'

const COUPON_QUESTION = text('Have a coupon code?')

type CartProps = { view: CartView; shop: CheckoutShop }

export function CartTotal({ view, shop }: CartProps) {
  return (
    <div className="grid gap-2">
      {(view.goods < view.subtotal || Boolean(view.deliveryFee)) && (
        <p className="flex flex-wrap justify-between gap-x-4">
          {t('Subtotal')} <span>{formatPaise(view.subtotal)}</span>
        </p>
      )}
      <CouponBox view={view} />
      <DeliveryFee view={view} shop={shop} />
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-xl font-semibold">
        {t('Total')}
        <output aria-label={t('Cart total')} className="text-chilli">
          {formatPaise(view.total)}
        </output>
      </p>
      <p className="text-sm text-ink/70">{shop.taxText}</p>
    </div>
  )
}

function DeliveryFee({ view: { deliveryFee }, shop }: CartProps) {
  const offer = useStore($offer)
  if (!shop.hasFees && deliveryFee === undefined) return null
  const fee = deliveryFee ?? toPaise(0)
  return (
    <p className="flex flex-wrap justify-between gap-x-4">
      {t(offer?.method === 'pickup' ? 'Pickup' : 'Delivery')}
      <span aria-live="polite">
        {!offer ? (
          t('depends on your pincode')
        ) : fee === 0 ? (
          <b className="text-leaf">{t('Free')}</b>
        ) : (
          formatPaise(fee)
        )}
      </span>
    </p>
  )
}

function CouponBox({ view }: { view: CartView }) {
  const coupon = useStore($coupon)
  const lost = useStore($lostCoupon)
  const box = useRef<HTMLDivElement>(null)
  const focus = (selector: string) => box.current?.querySelector<HTMLElement>(selector)?.focus()

  return (
    <div ref={box} className="grid gap-2 [&>details]:border-0">
      {coupon ? (
        <AppliedCoupon
          coupon={coupon}
          result={view.coupon}
          onRemove={() => {
            flushSync(() => setCoupon(undefined))
            focus('summary')
          }}
        />
      ) : (
        <Disclosure title={t(COUPON_QUESTION)}>
          {() => <CouponForm onApplied={() => focus('button')} />}
        </Disclosure>
      )}
      {/* Rendered even if empty, so that screen readers announce later changes. */}
      <p role="status" className="font-semibold text-chilli empty:hidden">
        {lost && `${lost.code}: ${couponProblemText(lost.problem ?? 'unknown', '')}`}
      </p>
    </div>
  )
}

interface AppliedCouponProps {
  coupon: SavedCoupon
  result: CartView['coupon']
  onRemove: () => void
}

function AppliedCoupon({ coupon: { code, terms }, result, onRemove }: AppliedCouponProps) {
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="[overflow-wrap:anywhere]">{t('Coupon {code}', { code })}</span>
          <Button
            look="link"
            label={t('Remove')}
            aria-label={t('Remove coupon {code}', { code })}
            onClick={onRemove}
          />
        </p>
        <span aria-live="polite" className="whitespace-nowrap font-semibold text-leaf">
          {result && 'discount' in result && `−${formatPaise(result.discount)}`}
        </span>
      </div>
      <p aria-live="polite" className="text-sm font-semibold text-chilli empty:hidden">
        {result &&
          'problem' in result &&
          couponProblemText(result.problem, formatRupees(terms?.minimum ?? 0))}
      </p>
    </>
  )
}

function CouponForm({ onApplied }: { onApplied: () => void }) {
  const { form, field, busy, failure } = useForm({
    names: ['coupon'],
    check: ({ coupon }) =>
      normalizeCouponCode(coupon) === '' ? { coupon: t('Please enter your coupon code') } : {},
    send: async ({ coupon }) => {
      await applyCoupon(coupon)
      onApplied()
    },
    errorText: { title: t('We couldn’t check the code') }
  })
  return (
    <form {...form} aria-label={t(COUPON_QUESTION)} className="grid gap-3">
      <Field
        state={field('coupon')}
        label={t('Coupon code')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="done"
      />
      <Failure failure={failure} busy={busy} />
      <SubmitButton label={t('Apply')} busyLabel={t('Checking…')} busy={busy} secondary />
    </form>
  )
}

export function useDelivery({ lines, ...view }: CartView, shop: CheckoutShop): void {
  const pincode = useStore($pincode)
  const isPickup = useStore($wantsPickup) && shop.hasPickup
  const destination = isPickup ? shop.address.pincode : pincode
  const items = toItemList(lines.map(({ line }) => line))
  const goods = shop.hasFees ? toRupees(view.goods) : undefined

  useEffect(() => {
    if (items === '') return
    // The shop's pincode, used for pickup, must not decide about a delivery.
    if (destination === '') return forgetDelivery()
    const load = () => void loadDelivery(destination, goods)
    const isNewPlace = $delivery.get().pincode !== destination
    const timer = setTimeout(load, isNewPlace ? 0 : CART_SYNC_DEBOUNCE)
    const stop = onVisible(load)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [destination, items, goods])
}

export function DeliveryLine({ view, shop }: CartProps) {
  const { pincode, reply, error } = useStore($delivery)
  const isPickup = useStore($wantsPickup) && shop.hasPickup
  // The lines have notes of their own.
  const delivery = reply?.delivery && { ...reply.delivery, problems: [], warnings: [] }
  const missing = reply && findMissingText(view.subtotal, reply.minimumOrder)
  const place =
    reply && describePlace({ ...reply, delivery: delivery ?? null }, missing ? `${missing}.` : '')
  const answer = place ?? error?.message
  const state = isPickup ? '' : (answer ?? (pincode && t('Checking…')))
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 pt-3">
      <span role="status">{state}</span>
      {state && answer === undefined && <StillWaiting />}
      {!isPickup && (
        <Button
          look="link"
          label={t(state ? 'Change pincode' : 'Enter your pincode for date and fee')}
          onClick={editPincode}
        />
      )}
    </div>
  )
}

function editPincode() {
  const form = document.getElementById(CHECKOUT_ID)
  form?.querySelector<HTMLElement>('[data-edit]')?.click()
  focusInMiddle(form?.querySelector<HTMLElement>('[name="shippingAddress.pincode"]'))
}

export function SubtotalBar({
  view: { goods, subtotal },
  shop,
  isClosed
}: CartProps & { isClosed: boolean }) {
  const obstacle = isClosed
    ? reopeningText(shop.closed)
    : findMissingText(subtotal, shop.minimumOrder)
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-y border-brass/40 bg-paper px-4 py-2 sm:mx-0 lg:hidden">
      <p className="flex flex-wrap gap-x-2">
        {t(goods < subtotal ? 'With coupon' : 'Subtotal')}{' '}
        <b className="text-chilli">{formatPaise(goods)}</b>
        {obstacle && <span className="w-full text-sm">{obstacle}</span>}
      </p>
      {!isClosed && <ButtonLink look="primary" label={t('Checkout')} href={`#${CHECKOUT_ID}`} />}
    </div>
  )
}
