import { useStore } from '@nanostores/react'
import { useEffect, type ReactNode } from 'react'
import { CHECKOUT_ID } from '#lib/checkout/checkout-form.ts'
import { attemptFailedText, CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { isProcessing, type Payment } from '#lib/checkout/payment.ts'
import { formatPaise, type Paise } from '#lib/money.ts'
import { $payment } from '#lib/stores/payment.ts'
import { Button } from '../ui/Button.tsx'
import { StillWaiting } from '../ui/States.tsx'
import { useScrollToMiddle } from '../ui/hooks.ts'

const texts = {
  payConfirm: 'I confirm that my delivery address is correct.',
  payConfirmPickup: 'I confirm that I will pick up my order at this address.',
  payConfirmMissing: 'Please confirm your address to pay.',
  payConfirmPickupMissing: 'Please confirm the pickup to pay.',
  payPreparing: 'Preparing the payment…',
  payWindow: 'Please complete your payment with Razorpay.',
  payPlacingOrder: 'Payment received. Placing your order…',
  paySecure: 'Secure payment by Razorpay: UPI, card or netbanking. We never see your card details.',
  payNowLabel: (total: string) => `Pay Now · ${total}`
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

export function PayBox({
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
    ? [texts.payConfirmPickup, texts.payConfirmPickupMissing]
    : [texts.payConfirm, texts.payConfirmMissing]
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
        label={texts.payNowLabel(formatPaise(total))}
        form={CHECKOUT_ID}
        data-pay
        disabled={!confirmed || processing || missingText !== undefined}
        aria-describedby="pay-status"
        className="w-full text-lg"
      />
      <p id="pay-status" role="status" className="text-center text-sm font-semibold empty:hidden">
        {processing ? progressText(payment) : (missingText ?? (confirmed ? '' : confirmMissing))}
      </p>
      <p className="text-center text-sm text-ink/70">{texts.paySecure}</p>
    </div>
  )
}

function LastAttempt({ payment }: { payment: Payment }) {
  const notice = payment.status === 'idle' ? payment.notice : undefined
  const isFailure = notice?.kind === 'failure'
  const box = useScrollToMiddle<HTMLDivElement>(notice)
  useEffect(() => {
    // The button was disabled during the payment and so lost the focus.
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

function progressText(payment: Payment): string {
  if (payment.status === 'open')
    return payment.declineReason ? attemptFailedText(payment.declineReason) : texts.payWindow
  if (payment.status === 'syncing') return CHECKOUT_MESSAGES.paymentLoading
  return payment.status === 'confirming' ? texts.payPlacingOrder : texts.payPreparing
}
