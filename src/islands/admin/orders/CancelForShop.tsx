import { useId, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ORDER_LISTS } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { ShopError } from '#lib/shop-error.ts'
import { cancelForShop } from '#lib/stores/admin/orders.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

/** Cancels an order that has not been delivered; asked first, because a refund can't be taken back. */
export function CancelForShop({ order }: { order: AdminOrder }) {
  const [asking, setAsking] = useState(false)
  const { orderNumber, status, totalAmount } = order
  if (status !== 'pending' && status !== 'packed') return null
  return (
    <>
      <button
        type="button"
        className="link target px-2"
        aria-haspopup="dialog"
        aria-label={`Cancel order ${orderNumber}`}
        onClick={() => setAsking(true)}
      >
        Cancel order
      </button>
      {asking && (
        <Asking order={order} onClose={() => setAsking(false)}>
          {`${formatRupees(totalAmount)} goes back to the shopper, and the packs back into stock. This can’t be undone.`}
        </Asking>
      )}
    </>
  )
}

function Asking({ order, onClose, children }: { order: AdminOrder; onClose: () => void; children: string }) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const id = useId()
  const cancel = async () => {
    if (reason.trim() === '') {
      setProblem(ADMIN_MESSAGES.orderReasonRequired)
      document.getElementById(id)?.focus()
      throw new ShopError('INVALID_INPUT', { message: ADMIN_MESSAGES.orderReasonRequired })
    }
    await cancelForShop(order, reason.trim())
  }
  return (
    <ConfirmDialog
      open
      title={`Cancel order ${order.orderNumber}?`}
      confirm="Cancel order"
      doing="Cancelling…"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p>{children}</p>
      <label htmlFor={id} className="mb-1 mt-4 block font-semibold">
        Reason, as the shopper reads it
      </label>
      <textarea
        id={id}
        rows={3}
        maxLength={ORDER_LISTS.reason}
        className="field"
        value={reason}
        aria-invalid={problem !== undefined}
        onChange={({ target }) => {
          setReason(target.value)
          setProblem(undefined)
        }}
      />
    </ConfirmDialog>
  )
}
