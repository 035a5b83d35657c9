import { useStore } from '@nanostores/react'
import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { focusInMiddle } from '#lib/browser.ts'
import type { CartView } from '#lib/cart/view.ts'
import { CHECKOUT_ID } from '#lib/checkout/checkout-form.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { findMissingText, type CheckoutShop } from '#lib/checkout/order-rules.ts'
import { isClosedOn, reopeningText } from '#lib/closed-days.ts'
import { formatPaise } from '#lib/money.ts'
import { toDayInIndia } from '#lib/time.ts'
import { $wantsPickup } from '#lib/stores/delivery.ts'
import { $loginCode } from '#lib/stores/sign-in.ts'
import { CodeForm } from '../account/CodeForm.tsx'
import { Failure } from '../ui/Buttons.tsx'
import { Skeleton } from '../ui/States.tsx'
import { useScrollToMiddle } from '../ui/hooks.ts'
import { CheckoutForm } from './CheckoutForm.tsx'
import { PayBox } from './PayBox.tsx'
import { useCheckout } from './use-checkout.ts'

const texts = { cartKept: 'Your cart is kept.' }

interface CheckoutProps {
  view: CartView
  shop: CheckoutShop
  lines: ReactNode
  total: ReactNode
}

export function Checkout(props: CheckoutProps) {
  const { shop, lines, total } = props
  const { closed } = shop
  if (!isClosedOn(closed, toDayInIndia(Date.now()))) return <OpenCheckout {...props} />
  return (
    <>
      <div className="grid min-w-0 gap-6">{lines}</div>
      <aside id={CHECKOUT_ID} aria-label="Summary" className={SUMMARY}>
        {total}
        <div role="status" className="grid gap-1 rounded-xl bg-turmeric p-4">
          <p className="font-semibold">{CHECKOUT_MESSAGES.shopClosed}</p>
          {closed.message && <p className="break-words">{closed.message}</p>}
          <p>
            {reopeningText(closed)} {texts.cartKept}
          </p>
        </div>
      </aside>
    </>
  )
}

const SUMMARY = 'card grid gap-4 p-4 sm:p-6 lg:sticky lg:top-20'

function OpenCheckout({ view, shop, lines, total }: CheckoutProps) {
  // The lines react sooner if the form is rendered after them.
  const showsForm = useDeferredValue(true, false)
  const [confirmed, setConfirmed] = useState(false)
  const errorSummaryRef = useRef<HTMLDivElement>(null)
  const aside = useRef<HTMLElement>(null)
  const loginCode = useStore($loginCode)
  const focusCode = () =>
    focusInMiddle(aside.current?.querySelector<HTMLInputElement>('[name=otp]'))
  const isPickup = useStore($wantsPickup) && shop.hasPickup
  // The text to confirm is another one for pickup.
  useEffect(() => setConfirmed(false), [isPickup])
  const checkout = useCheckout({
    shop,
    isPickup,
    summary: () => errorSummaryRef.current,
    onCodeSent: focusCode
  })
  const failure = useScrollToMiddle<HTMLDivElement>(checkout.failure)

  const leaveCodeForm = (focusSelector: string) => {
    flushSync(checkout.cancelCode)
    document.querySelector<HTMLElement>(focusSelector)?.focus()
  }

  return (
    <>
      <div className="grid min-w-0 gap-6">
        {lines}
        {showsForm ? (
          <CheckoutForm
            checkout={checkout}
            shop={shop}
            isPickup={isPickup}
            hasEvent={view.lines.some(({ line }) => shop.eventProducts.includes(line._id))}
            errorSummaryRef={errorSummaryRef}
          />
        ) : (
          <Skeleton rows={6} />
        )}
      </div>
      <aside ref={aside} aria-label="Summary" className={SUMMARY}>
        {total}
        {checkout.askingForCode && loginCode ? (
          <CodeForm
            loginCode={loginCode}
            formLabel="Confirm your email to pay"
            submitLabel={confirmed ? `Confirm and pay ${formatPaise(view.total)}` : 'Confirm email'}
            backLabel="Back"
            onBack={() => leaveCodeForm('[data-pay]')}
            onChangeEmail={
              checkout.loggedIn ? undefined : () => leaveCodeForm('[name="customerDetails.email"]')
            }
            onResent={focusCode}
            quiet
            onLoggedIn={() => void checkout.continueAfterLogin(confirmed)}
          />
        ) : (
          <PayBox
            total={view.total}
            busy={checkout.busy}
            isPickup={isPickup}
            confirmed={confirmed}
            onConfirm={setConfirmed}
            missingText={findMissingText(view.subtotal, shop.minimumOrder)}
          >
            <div ref={failure} className="empty:hidden">
              <Failure failure={checkout.failure} />
            </div>
            <p role="status" className="empty:hidden">
              {checkout.changeText}
            </p>
            {!view.canOrder && (
              <p className="font-semibold text-chilli">{CHECKOUT_MESSAGES.payNotOrderable}</p>
            )}
          </PayBox>
        )}
      </aside>
    </>
  )
}
