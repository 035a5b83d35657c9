import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { nextStatus } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { STATUS_LABELS } from '#lib/order-status.ts'
import { ShopError, toErrorText } from '#lib/shop-error.ts'
import { setOrderStatus } from '#lib/stores/admin/orders.ts'
import { notify } from '#lib/stores/toasts.ts'

export function StatusButton({ order, primary = false }: { order: AdminOrder; primary?: boolean }) {
  const next = nextStatus(order.status)
  if (next === undefined || order.isAnonymised) return null
  const label = STATUS_LABELS[next].toLowerCase()
  return (
    <button
      type="button"
      className={primary ? 'button-primary' : 'button-quiet w-full md:w-auto'}
      aria-label={`Mark order ${order.orderNumber} as ${label}`}
      onClick={() => void showErrors(() => setOrderStatus(order, next), order._id)}
    >
      Mark as {label}
    </button>
  )
}

export async function showErrors(action: () => Promise<void>, toastKey: string): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const text = toErrorText(error, ADMIN_MESSAGES.tryAgain)
    notify({ title: ADMIN_MESSAGES.ordersFailed, text, kind: 'destructive', topic: toastKey })
  }
}
