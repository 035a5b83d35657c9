import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { readDraft } from '#lib/browser.ts'
import { isSameCart, toCartEntries } from '#lib/cart/entries.ts'
import {
  CHECKOUT_FIELDS,
  toDeliveryDetails,
  validateCheckout,
  type CheckoutValues
} from '#lib/checkout/checkout-form.ts'
import { CHECKOUT_MESSAGES, OFFLINE_NOTICE } from '#lib/checkout/messages.ts'
import { calendarOf, type CheckoutShop } from '#lib/checkout/order-rules.ts'
import { listDays } from '#lib/delivery/calendar.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { toRupees } from '#lib/money.ts'
import { syncCart } from '#lib/stores/cart-sync.ts'
import { $cart } from '#lib/stores/cart.ts'
import { $coupon } from '#lib/stores/coupon.ts'
import { pay } from '#lib/stores/payment.ts'
import { $cartView, refreshQuote } from '#lib/stores/quote.ts'
import { $token, checkSession, clearSavedNotice } from '#lib/stores/session.ts'
import { $loginCode, restoreLoginCode, sendCode, showPasswordForm } from '#lib/stores/sign-in.ts'
import { useForm } from '../ui/use-form.ts'

interface CheckoutRules {
  shop: CheckoutShop
  summary: () => HTMLElement | null
  onCodeSent: () => void
}

const PAYMENT_ERROR = {
  title: CHECKOUT_MESSAGES.paymentOrderFailed,
  fallback: MESSAGES.tryAgain,
  offline: OFFLINE_NOTICE
}
const CODE_ERROR = { title: MESSAGES.codeFailed, fallback: MESSAGES.codeTryAgain, offline: OFFLINE_NOTICE }

/** Validates the form and starts the payment. A guest first logs in with a code. */
export function useCheckout({ shop, summary, onCodeSent }: CheckoutRules) {
  const { askingForCode, setAskingForCode } = useCodeStep()
  const [continuing, setContinuing] = useState(false)
  const [changeText, setChangeText] = useState<string>()

  const loggedIn = useStore($token) !== undefined

  const startPayment = async (values: CheckoutValues) => {
    const view = $cartView.get()
    if (!view.canOrder) throw new ShopError('PRICE_CHANGED', { message: CHECKOUT_MESSAGES.payNotOrderable })
    const items = toCartEntries($cart.get())
    await pay({
      amount: toRupees(view.total),
      items,
      coupon: $coupon.get()?.code,
      deliveryDetails: toDeliveryDetails(values),
      shopName: shop.name
    })
  }

  const checkout = useForm({
    names: CHECKOUT_FIELDS,
    check: values => validateCheckout(values, listDays(calendarOf(shop), { now: Date.now() })),
    send: async values => {
      setChangeText(undefined)
      await checkSession()
      if ($token.get() !== undefined) return startPayment(values)
      await sendCode(values['customerDetails.email'].trim(), { quiet: true })
      flushSync(() => setAskingForCode(true))
      onCodeSent()
    },
    errorText: loggedIn ? PAYMENT_ERROR : CODE_ERROR,
    summary
  })

  /** Starts the payment if the login has not changed the cart. Otherwise the shopper must first see the new total. */
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
      if (!isUnchanged) setChangeText(isSame ? CHECKOUT_MESSAGES.payTotalChanged : CHECKOUT_MESSAGES.payCartChanged)
    })
    if (isUnchanged && confirmed) await checkout.run(() => startPayment(checkout.values()), PAYMENT_ERROR)
  }

  const cancelCode = () => {
    showPasswordForm()
    setAskingForCode(false)
  }
  const busy = checkout.busy || continuing
  return { ...checkout, busy, askingForCode, changeText, cancelCode, continueAfterLogin }
}

/** Asks for the code again after a reload, because phones may discard the tab while the shopper reads the mail. */
function useCodeStep() {
  const [askingForCode, setAskingForCode] = useState(false)
  useEffect(() => {
    restoreLoginCode()
    const loginCode = $loginCode.get()
    const typedEmail = readDraft<CheckoutValues>('checkout')?.['customerDetails.email']
    if (loginCode?.entering && loginCode.email === typedEmail && $token.get() === undefined) setAskingForCode(true)
  }, [])
  return { askingForCode, setAskingForCode }
}
