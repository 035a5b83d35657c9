import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { readDraft } from '#lib/stores/storage.ts'
import { isSameCart, toCartEntries } from '#lib/cart/entries.ts'
import { t, text } from '#lib/contract/texts.ts'
import { normalizeEmail, toDigits } from '#lib/contract/formats.ts'
import {
  CHECKOUT_FIELDS,
  type CheckoutShop,
  type CheckoutValues,
  isOpenDay,
  listDayChoices,
  toDeliveryDetails,
  validateCheckout
} from '#lib/checkout/checkout-form.ts'
import { CHECKOUT_MESSAGES, OFFLINE_NOTICE } from '#lib/checkout/messages.ts'
import { PINCODE } from '#lib/constants.ts'
import { UNKNOWN_PINCODE } from '#lib/delivery/place.ts'
import { assertShopError, ShopError } from '#lib/errors.ts'
import { toRupees } from '#lib/money.ts'
import { formatDay } from '#lib/order.ts'
import { syncCart } from '#lib/stores/cart-sync.ts'
import { $cart } from '#lib/stores/cart.ts'
import { $coupon } from '#lib/stores/coupon.ts'
import { $cartView, refreshQuote } from '#lib/stores/quote.ts'
import {
  $delivery,
  $offer,
  isAnswered,
  loadDelivery,
  waitForDelivery
} from '#lib/stores/delivery.ts'
import { pay } from '#lib/stores/payment.ts'
import { $token, $user, checkSession, clearSavedNotice } from '#lib/stores/session.ts'
import {
  $loginCode,
  CODE_NOT_SENT,
  restoreLoginCode,
  sendCode,
  showPasswordForm
} from '#lib/stores/sign-in.ts'
import { fieldOf, useForm } from '../ui/use-form.ts'

const TOTAL_CHANGED = text('The total has changed. Please check it and press Pay Now again.')

interface CheckoutRules {
  shop: CheckoutShop
  isPickup: boolean
  summary: () => HTMLElement | null
  onCodeSent: () => void
}

export function useCheckout({ shop, isPickup, summary, onCodeSent }: CheckoutRules) {
  const [askingForCode, setAskingForCode] = useState(false)
  const [continuing, setContinuing] = useState(false)
  const [changeText, setChangeText] = useState<string>()

  const confirmedPincode = useRef('')
  const loggedIn = useStore($token) !== undefined
  const paymentError = { title: CHECKOUT_MESSAGES.paymentOrderFailed, offline: OFFLINE_NOTICE }

  // Phones may discard the tab while the shopper reads the mail.
  useEffect(() => {
    restoreLoginCode()
    const loginCode = $loginCode.get()
    const typedEmail = readDraft<CheckoutValues>('checkout')?.['customerDetails.email']
    if (
      loginCode?.entering &&
      loginCode.email === normalizeEmail(String(typedEmail)) &&
      $token.get() === undefined
    )
      setAskingForCode(true)
  }, [])

  // The server needs the shop's own for pickup.
  const destinationOf = (values: CheckoutValues) =>
    isPickup ? shop.address.pincode : toDigits(values['shippingAddress.pincode'])
  const validate = (values: CheckoutValues) => {
    const destination = destinationOf(values)
    return validateCheckout(values, {
      days: listDayChoices($offer.get(), shop, Date.now()),
      isPickup,
      lookup: $delivery.get(),
      isWaiting: PINCODE.test(destination) && !isAnswered(destination)
    })
  }

  /** Throws once for an unknown pincode. */
  const checkDestination = async (): Promise<CheckoutValues> => {
    await waitForDelivery(() => destinationOf(checkout.values()))
    flushSync(() => undefined)
    const values = checkout.values()
    const destination = destinationOf(values)
    const fields = validate(values)
    if (Object.keys(fields).length > 0) throw new ShopError('INVALID_INPUT', { fields })
    const isUnknown = !isPickup && $delivery.get().reply?.isKnown === false
    if (!isUnknown || confirmedPincode.current === destination) return values
    confirmedPincode.current = destination
    const problem = `${t(UNKNOWN_PINCODE)} ${t('Then press Pay Now again.')}`
    throw new ShopError('INVALID_INPUT', { fields: { 'shippingAddress.pincode': problem } })
  }

  const chooseNextDay = async ({ code, message, nextDay }: ShopError, values: CheckoutValues) => {
    await loadDelivery(destinationOf(values))
    const next = nextDay ?? listDayChoices($offer.get(), shop, Date.now()).find(isOpenDay)?.date
    const day = values.deliveryDate === '' ? t('The first day') : formatDay(values.deliveryDate)
    const reason = t(code === 'DAY_FULL' ? '{day} is full.' : '{day} is no longer open.', { day })
    const problem =
      next === undefined
        ? message
        : t('{reason} We chose {day}: please check it and press Pay Now again.', {
            reason,
            day: formatDay(next)
          })
    flushSync(() => setChangeText(undefined))
    const field = fieldOf(checkout.form.ref.current, 'deliveryDate')
    if (field && next !== undefined) {
      field.value = next
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    throw new ShopError('INVALID_INPUT', { fields: { deliveryDate: problem } })
  }

  const askForCode = async (email: string) => {
    await sendCode(email, true)
    flushSync(() => setAskingForCode(true))
    onCodeSent()
  }

  const startPayment = async (values: CheckoutValues) => {
    const view = $cartView.get()
    if (!view.canOrder)
      throw new ShopError('PRICE_CHANGED', { message: CHECKOUT_MESSAGES.payNotOrderable })
    await pay({
      ...toDeliveryDetails(values, isPickup ? shop.address : undefined),
      amount: toRupees(view.total),
      items: toCartEntries($cart.get()),
      coupon: $coupon.get()?.code,
      shopName: shop.name
    }).catch((error: unknown) => {
      const refusal = assertShopError(error)
      const email = $user.get()?.email
      if (refusal.code === 'VERIFICATION_REQUIRED' && email !== undefined) return askForCode(email)
      if (refusal.code !== 'DAY_CLOSED' && refusal.code !== 'DAY_FULL') throw refusal
      return chooseNextDay(refusal, values)
    })
  }

  const withDestination = async (goOn: (values: CheckoutValues) => Promise<void>) => {
    setChangeText(undefined)
    const oldTotal = $cartView.get().total
    const values = await checkDestination()
    if ($cartView.get().total !== oldTotal) return setChangeText(t(TOTAL_CHANGED))
    await goOn(values)
  }

  const checkout = useForm({
    names: CHECKOUT_FIELDS,
    check: validate,
    send: () =>
      withDestination(async values => {
        await checkSession()
        if ($token.get() !== undefined) return startPayment(values)
        await askForCode(values['customerDetails.email'])
      }),
    errorText: loggedIn ? paymentError : { ...CODE_NOT_SENT, offline: OFFLINE_NOTICE },
    fieldForError: ({ code }) =>
      code === 'PINCODE_UNKNOWN' || code === 'NOT_DELIVERED'
        ? 'shippingAddress.pincode'
        : undefined,
    summary
  })

  /** If the login has changed the cart, the shopper must first see the new total. */
  const continueAfterLogin = async (confirmed: boolean) => {
    setContinuing(true)
    clearSavedNotice()
    const [oldEntries, oldTotal] = [toCartEntries($cart.get()), $cartView.get().total]
    await syncCart()
    await refreshQuote()
    const isSame = isSameCart(oldEntries, toCartEntries($cart.get()))
    const isUnchanged = isSame && $cartView.get().total === oldTotal
    flushSync(() => {
      setContinuing(false)
      setAskingForCode(false)
      if (!isUnchanged)
        setChangeText(
          isSame
            ? t(TOTAL_CHANGED)
            : t(
                'We added items from your saved cart. ' +
                  'Please check the total and press Pay Now again.'
              )
        )
    })
    if (!confirmed) fieldOf(checkout.form.ref.current, 'isConfirmed')?.focus()
    if (isUnchanged && confirmed)
      await checkout.run(() => withDestination(startPayment), paymentError)
  }

  const cancelCode = () => {
    showPasswordForm()
    setAskingForCode(false)
  }
  const busy = checkout.busy || continuing
  return { ...checkout, busy, loggedIn, askingForCode, changeText, cancelCode, continueAfterLogin }
}
