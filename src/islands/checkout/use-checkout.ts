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
import { $cartView } from '#lib/stores/cart-shown.ts'
import { syncCart } from '#lib/stores/cart-sync.ts'
import { dropCarried } from '#lib/stores/session-notice.ts'
import { readDraft } from '#lib/stores/drafts.ts'
import { pay } from '#lib/stores/payment.ts'
import { requote } from '#lib/stores/quote.ts'
import { $sentCode, leaveCode, restoreSentCode, sendCode } from '#lib/stores/sent-code.ts'
import { startSession } from '#lib/stores/session-check.ts'
import { $token } from '#lib/stores/stored-session.ts'
import { useForm } from '../form/use-form.ts'

interface CheckoutRules {
  shopName: string
  /** Where the focus goes when several fields are wrong. */
  summary: () => HTMLElement | null
  /** A code is asked for now, and its field may have the focus. */
  onAsking: () => void
}

/**
 * The form from the first field to the provider's window. Who has no session is asked for a code in between, and loses
 * neither cart nor form by it.
 */
export function useCheckout({ shopName, summary, onAsking }: CheckoutRules) {
  const { asking, setAsking } = useAsking()
  const [going, setGoing] = useState(false)
  const [joined, setJoined] = useState(false)

  const payFor = async (values: CheckoutValues) => {
    const view = $cartView.get()
    if (!canOrder(view)) throw new ShopError('PRICE_CHANGED', { message: CHECKOUT_MESSAGES.payNotOrderable })
    const items = entriesOf($cart.get())
    await pay({ amount: toRupees(view.total), items, destination: toDestination(values), shopName })
  }

  const checkout = useForm({
    names: CHECKOUT_FIELDS,
    check: values => checkoutProblems(values, Date.now()),
    send: async values => {
      setJoined(false)
      await startSession()
      if ($token.get() !== undefined) return payFor(values)
      await sendCode(values['customerDetails.email'].trim())
      flushSync(() => setAsking(true))
      onAsking()
    },
    failed: { title: CHECKOUT_MESSAGES.paymentOrderFailed, otherwise: MESSAGES.tryAgain },
    summary
  })

  /** Goes on with Pay Now, unless the account's own cart has joined this one: nobody pays a total that they have not seen. */
  const goOn = async (confirmed: boolean) => {
    setGoing(true)
    dropCarried()
    const before = entriesOf($cart.get())
    await syncCart()
    await requote()
    const same = isSameCart(before, entriesOf($cart.get()))
    flushSync(() => {
      setGoing(false)
      setAsking(false)
      setJoined(!same)
    })
    if (same && confirmed) await checkout.run(() => payFor(checkout.values()))
  }

  const stopAsking = () => {
    leaveCode()
    setAsking(false)
  }
  return { ...checkout, busy: checkout.busy || going, asking, joined, stopAsking, goOn }
}

/** Whether a code is asked for; a phone that dropped the tab while the mail was read finds the question again. */
function useAsking() {
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    restoreSentCode()
    const sent = $sentCode.get()
    const typed = readDraft<CheckoutValues>('checkout')?.['customerDetails.email']
    if (sent?.entering && sent.email === typed && $token.get() === undefined) setAsking(true)
  }, [])
  return { asking, setAsking }
}
