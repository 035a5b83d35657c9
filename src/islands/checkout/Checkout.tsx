import { useStore } from '@nanostores/react'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { focusInMiddle } from '#lib/browser.ts'
import type { CartView } from '#lib/cart/view.ts'
import { CHECKOUT_ID, type CheckoutShop, findMissingText } from '#lib/checkout/checkout-form.ts'
import { attemptFailedText, CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { t } from '#lib/contract/texts.ts'
import { isClosedOn, reopeningText } from '#lib/delivery/calendar.ts'
import { formatPaise, type Paise } from '#lib/money.ts'
import { toDayInIndia } from '#lib/time.ts'
import { $wantsPickup } from '#lib/stores/delivery.ts'
import { $loginCode } from '#lib/stores/sign-in.ts'
import { isProcessing, type Payment } from '#lib/checkout/payment.ts'
import { $payment } from '#lib/stores/payment.ts'
import { isKept } from '#lib/stores/storage.ts'
import { CodeForm } from '../account/CodeForm.tsx'
import { Failure } from '../ui/Buttons.tsx'
import { Skeleton, StillWaiting } from '../ui/States.tsx'
import { useScrollToMiddle } from '../ui/hooks.ts'
import { Button } from '../ui/Button.tsx'
import { CheckoutForm } from './CheckoutForm.tsx'
import { useCheckout } from './use-checkout.ts'

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
      <aside id={CHECKOUT_ID} aria-label={t('Summary')} className={SUMMARY}>
        {total}
        <div role="status" className="grid gap-1 rounded-xl bg-turmeric p-4">
          <p className="font-semibold">{CHECKOUT_MESSAGES.shopClosed}</p>
          {closed.message && <p>{closed.message}</p>}
          <p>
            {reopeningText(closed)} {isKept('cart') && t('Your cart is kept.')}
          </p>
        </div>
      </aside>
    </>
  )
}

const SUMMARY = 'card grid gap-4 p-4 sm:p-6 lg:sticky lg:top-20'

function OpenCheckout({ view, shop, lines, total }: CheckoutProps) {
  // The lines react sooner if the form comes later.
  const showsForm = useDeferredValue(true, false)
  const [confirmed, setConfirmed] = useState(false)
  const errorSummaryRef = useRef<HTMLDivElement>(null)
  const aside = useRef<HTMLElement>(null)
  const loginCode = useStore($loginCode)
  const focusCode = () =>
    focusInMiddle(aside.current?.querySelector<HTMLInputElement>('[name=otp]'))
  const isPickup = useStore($wantsPickup) && shop.hasPickup
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
      <aside ref={aside} aria-label={t('Summary')} className={SUMMARY}>
        {total}
        {checkout.askingForCode && loginCode ? (
          <CodeForm
            loginCode={loginCode}
            formLabel={t('Confirm your email to pay')}
            submitLabel={
              confirmed
                ? t('Confirm and pay {amount}', { amount: formatPaise(view.total) })
                : t('Confirm email')
            }
            backLabel={t('Back')}
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

interface PayBoxProps {
  total: Paise
  busy: boolean
  isPickup: boolean
  confirmed: boolean
  onConfirm: (confirmed: boolean) => void
  missingText: string | undefined
  children: ReactNode
}

function PayBox({
  total,
  busy,
  isPickup,
  confirmed,
  onConfirm,
  missingText,
  children
}: PayBoxProps) {
  const payment = useStore($payment)
  const processing = busy || isProcessing(payment)
  const [confirmLabel, confirmMissing] = isPickup
    ? [
        t('I confirm that I will pick up my order at this address.'),
        t('Please confirm the pickup to pay.')
      ]
    : [
        t('I confirm that my delivery address is correct.'),
        t('Please confirm your address to pay.')
      ]
  return (
    <div className="grid gap-4">
      <label className="flex cursor-pointer items-start gap-3 rounded-xl bg-cream-deep p-3">
        <input
          type="checkbox"
          name="isConfirmed"
          form={CHECKOUT_ID}
          checked={confirmed}
          onChange={({ currentTarget }) => onConfirm(currentTarget.checked)}
          className="mt-0.5 h-6 w-6 shrink-0 accent-chilli"
        />
        {confirmLabel}
      </label>
      {children}
      <LastAttempt payment={payment} />
      {processing && payment.status !== 'open' && <StillWaiting />}
      <Button
        type="submit"
        look="primary"
        label={`${t('Pay Now')} · ${formatPaise(total)}`}
        form={CHECKOUT_ID}
        data-pay
        disabled={!confirmed || processing || missingText !== undefined}
        aria-describedby="pay-status"
        className="w-full text-lg"
      />
      <p id="pay-status" role="status" className="text-center text-sm font-semibold empty:hidden">
        {processing ? progressText(payment) : (missingText ?? (confirmed ? '' : confirmMissing))}
      </p>
      <p className="text-center text-sm text-ink/70">
        {t('Secure payment by Razorpay: UPI, card or netbanking. We never see your card details.')}
      </p>
    </div>
  )
}

function LastAttempt({ payment }: { payment: Payment }) {
  const notice = payment.status === 'idle' ? payment.notice : undefined
  const isFailure = notice?.kind === 'failure'
  const box = useScrollToMiddle<HTMLDivElement>(notice)
  useEffect(() => {
    // The disabled button has lost the focus.
    if (notice && document.activeElement === document.body) box.current?.focus()
  }, [notice])
  return (
    <div
      ref={box}
      tabIndex={-1}
      role={isFailure ? 'alert' : 'status'}
      className="outline-none empty:hidden"
    >
      {notice && (
        <div
          className={`rounded-xl border-2 p-4 ${isFailure ? 'border-chilli' : 'border-brass bg-cream-deep'}`}
        >
          <p className={`font-semibold ${isFailure ? 'text-chilli' : ''}`}>{notice.title}</p>
          {notice.text && <p>{notice.text}</p>}
        </div>
      )}
    </div>
  )
}

function progressText(payment: Payment) {
  if (payment.status === 'open')
    return payment.declineReason
      ? attemptFailedText(payment.declineReason)
      : t('Please complete your payment with Razorpay.')
  if (payment.status === 'syncing') return CHECKOUT_MESSAGES.paymentLoading
  return payment.status === 'confirming'
    ? t('Payment received. Placing your order…')
    : t('Preparing the payment…')
}
