import { useState } from 'react'
import type { Order } from '#lib/contract/orders.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { cancelOrder, loadOrders } from '#lib/stores/orders.ts'
import { Failure } from '../form/Failure.tsx'
import { useAttempt } from '../form/use-attempt.ts'
import { Dialog } from '../ui/Dialog.tsx'

export function CancelOrder({ order: { _id, orderNumber, totalAmount } }: { order: Order }) {
  const [open, setOpen] = useState(false)
  const { busy, failure, run } = useAttempt(
    { title: CHECKOUT_MESSAGES.orderNotCancelled, fallback: MESSAGES.tryAgain },
    () => false
  )
  const cancel = async () => {
    if (await run(() => cancelOrder(_id))) return setOpen(false)
    await loadOrders()
  }

  return (
    <>
      <button
        type="button"
        className="link target px-1"
        aria-label={`Cancel order ${orderNumber}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Cancel order
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Cancel this order?" shape="box">
        <div className="grid gap-4 p-4 pt-0">
          <p>
            We’ll cancel order {orderNumber} and refund {formatRupees(totalAmount)} to your original payment method in
            5–8 days.
          </p>
          <Failure failure={failure} />
          <div className="flex gap-3">
            <button type="button" className="button-quiet flex-1" onClick={() => setOpen(false)}>
              Keep order
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
