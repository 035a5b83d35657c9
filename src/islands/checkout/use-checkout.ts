import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { isSameCart } from '#lib/cart-merge.ts'
import { canOrder } from '#lib/cart-view.ts'
import { CHECKOUT_FIELDS, checkoutProblems, toDestination, type CheckoutValues } from '#lib/checkout/checkout-form.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { toRupees } from '#lib/money.ts'
import { ShopError } from '#lib/shop-error.ts'
import { $cart } from '#lib/stores/cart.ts'
import { entriesOf } from '#lib/stores/cart-entries.ts'
import { $cartView } from '#lib/stores/cart-view.ts'
import { syncCart } from '#lib/stores/cart-sync.ts'
import { clearSavedNotice } from '#lib/stores/session-notice.ts'
import { readDraft } from '#lib/stores/drafts.ts'
import { pay } from '#lib/stores/payment.ts'
import { refreshQuote } from '#lib/stores/quote.ts'
import { $loginCode, showPasswordForm, restoreLoginCode, sendCode } from '#lib/stores/login-code.ts'
import { checkSession } from '#lib/stores/session-check.ts'
import { $token } from '#lib/stores/stored-session.ts'
import { useForm } from '../form/use-form.ts'

interface CheckoutRules {
  shopName: string
  /** Receives the focus when several fields are invalid. */
  summary: () => HTMLElement | null
  /** The code field is shown and can receive the focus. */
  onCodeSent: () => void
}

/** Validates the form and starts the payment; a visitor without a session first logs in with a code. */
export function useCheckout({ shopName, summary, onCodeSent }: CheckoutRules) {
  const { askingForCode, setAskingForCode } = useCodeStep()
  const [continuing, setContinuing] = useState(false)
  const [cartMerged, setCartMerged] = useState(false)

  const startPayment = async (values: CheckoutValues) => {
    const view = $cartView.get()
    if (!canOrder(view)) throw new ShopError('PRICE_CHANGED', { message: CHECKOUT_MESSAGES.payNotOrderable })
    const items = entriesOf($cart.get())
    await pay({ amount: toRupees(view.total), items, destination: toDestination(values), shopName })
  }

  const checkout = useForm({
    names: CHECKOUT_FIELDS,
    check: values => checkoutProblems(values, Date.now()),
    send: async values => {
      setCartMerged(false)
      await checkSession()
      if ($token.get() !== undefined) return startPayment(values)
      await sendCode(values['customerDetails.email'].trim())
      flushSync(() => setAskingForCode(true))
      onCodeSent()
    },
    errorText: { title: CHECKOUT_MESSAGES.paymentOrderFailed, fallback: MESSAGES.tryAgain },
    summary
  })

  /** Starts the payment, unless login merged the account's cart: the shopper must see the new total first. */
  const continueAfterLogin = async (confirmed: boolean) => {
    setContinuing(true)
    clearSavedNotice()
    const before = entriesOf($cart.get())
    await syncCart()
    await refreshQuote()
    const same = isSameCart(before, entriesOf($cart.get()))
    flushSync(() => {
      setContinuing(false)
      setAskingForCode(false)
      setCartMerged(!same)
    })
    if (same && confirmed) await checkout.run(() => startPayment(checkout.values()))
  }

  const cancelCode = () => {
    showPasswordForm()
    setAskingForCode(false)
  }
  const busy = checkout.busy || continuing
  return { ...checkout, busy, askingForCode, cartMerged, cancelCode, continueAfterLogin }
}

/** Restored after a reload, because phones may discard the tab while the shopper reads the mail with the code. */
function useCodeStep() {
  const [askingForCode, setAskingForCode] = useState(false)
  useEffect(() => {
    restoreLoginCode()
    const sent = $loginCode.get()
    const typed = readDraft<CheckoutValues>('checkout')?.['customerDetails.email']
    if (sent?.entering && sent.email === typed && $token.get() === undefined) setAskingForCode(true)
  }, [])
  return { askingForCode, setAskingForCode }
}
