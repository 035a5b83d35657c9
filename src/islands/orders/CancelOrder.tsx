import { useState } from 'react'
import type { Order } from '#lib/contract/orders.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { cancelOrder, loadOrders } from '#lib/stores/orders.ts'
import { Failure } from '../form/Failure.tsx'
import { useAttempt } from '../form/use-attempt.ts'
import { Dialog } from '../ui/Dialog.tsx'

/** Cancels an order that may still be, once it was asked whether that is meant. */
export function CancelOrder({ order: { _id, orderNumber, totalAmount } }: { order: Order }) {
  const [asking, setAsking] = useState(false)
  const { busy, failure, run } = useAttempt(
    { title: CHECKOUT_MESSAGES.orderNotCancelled, otherwise: MESSAGES.tryAgain },
    () => false
  )
  const cancel = async () => {
    if (await run(() => cancelOrder(_id))) return setAsking(false)
    await loadOrders()
  }

  return (
    <>
      <button
        type="button"
        className="link target px-1"
        aria-label={`Cancel order ${orderNumber}`}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        Cancel order
      </button>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Cancel this order?" shape="box">
        <div className="grid gap-4 p-4 pt-0">
          <p>
            Order {orderNumber} is taken back, and {formatRupees(totalAmount)} returns to where you paid from, within 5
            to 8 days.
          </p>
          <Failure failure={failure} />
          <div className="flex gap-3">
            <button type="button" className="button-quiet flex-1" onClick={() => setAsking(false)}>
              Keep it
            </button>
            <button
              type="button"
              aria-disabled={busy}
              className="button-primary flex-1 aria-disabled:opacity-60"
              onClick={() => void cancel()}
            >
              {busy ? 'Cancelling…' : 'Cancel order'}
            </button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
