import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { CHECKOUT_MESSAGES, payNow, attemptRefused } from '#lib/checkout/messages.ts'
import { isProcessing, type Payment } from '#lib/checkout/payment.ts'
import { formatPaise, type Paise } from '#lib/money.ts'
import { $payment } from '#lib/stores/payment.ts'

interface PayBoxProps {
  /** The id of the form that the button sends. */
  form: string
  total: Paise
  /** While the shop is asked for something else. */
  busy: boolean
  confirmed: boolean
  onConfirm: (confirmed: boolean) => void
  /** What else there is to say before the press. */
  children: ReactNode
}

/** The confirmation, and Pay Now with the amount; what still stands in its way is said beside it. */
export function PayBox({ form, total, busy, confirmed, onConfirm, children }: PayBoxProps) {
  const payment = useStore($payment)
  const processing = busy || isProcessing(payment)
  return (
    <div className="grid gap-4">
      <label className="flex cursor-pointer items-start gap-3 rounded-xl bg-cream-deep p-3">
        <input
          type="checkbox"
          form={form}
          checked={confirmed}
          onChange={({ currentTarget }) => onConfirm(currentTarget.checked)}
          className="mt-0.5 h-6 w-6 shrink-0 accent-chilli"
        />
        {CHECKOUT_MESSAGES.payConfirm}
      </label>
      {children}
      <Outcome payment={payment} />
      <button
        type="submit"
        form={form}
        data-pay
        disabled={!confirmed || processing}
        aria-describedby="pay-missing"
        className="button-primary w-full text-lg"
      >
        {payNow(formatPaise(total))}
      </button>
      <p id="pay-missing" role="status" className="text-center text-sm font-semibold empty:hidden">
        {processing ? progressOf(payment) : confirmed ? '' : CHECKOUT_MESSAGES.payConfirmMissing}
      </p>
      <p className="text-center text-sm text-ink/70">{CHECKOUT_MESSAGES.paySecure}</p>
    </div>
  )
}

/** What came of the last try. */
function Outcome({ payment }: { payment: Payment }) {
  const said = payment.at === 'idle' ? payment.said : undefined
  const failed = said?.kind === 'failure'
  return (
    <div role={failed ? 'alert' : 'status'} className="empty:hidden">
      {said && (
        <div className={`rounded-xl border-2 p-4 ${failed ? 'border-chilli' : 'border-brass bg-cream-deep'}`}>
          <p className={`font-semibold ${failed ? 'text-chilli' : ''}`}>{said.title}</p>
          {said.text && <p>{said.text}</p>}
        </div>
      )}
    </div>
  )
}

function progressOf(payment: Payment): string {
  if (payment.at === 'open') return payment.refusal ? attemptRefused(payment.refusal) : CHECKOUT_MESSAGES.payWindow
  if (payment.at === 'asking') return CHECKOUT_MESSAGES.payAsking
  return payment.at === 'finalising' ? CHECKOUT_MESSAGES.payFinalising : CHECKOUT_MESSAGES.payPreparing
}
