import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { nextOf } from '#lib/admin/orders.ts'
import type { AdminOrder } from '#lib/contract/admin/orders.ts'
import { STATUS_WORDS } from '#lib/order-status.ts'
import { ShopError, wordsOf } from '#lib/shop-error.ts'
import { moveOrder } from '#lib/stores/admin/orders.ts'
import { notify } from '#lib/stores/toasts.ts'

/** Moves an order one step on; taken back by the bar that offers it. */
export function MoveButton({ order, primary = false }: { order: AdminOrder; primary?: boolean }) {
  const next = nextOf(order.status)
  if (next === undefined || order.isForgotten) return null
  const word = STATUS_WORDS[next].toLowerCase()
  return (
    <button
      type="button"
      className={primary ? 'button-primary' : 'button-quiet w-full md:w-auto'}
      aria-label={`Mark order ${order.orderNumber} ${word}`}
      onClick={() => void attempt(() => moveOrder(order, next), order._id)}
    >
      Mark {word}
    </button>
  )
}

/** Does what the shop may refuse, and says so. */
export async function attempt(action: () => Promise<void>, about: string): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const text = wordsOf(error, ADMIN_MESSAGES.tryAgain)
    notify({ title: ADMIN_MESSAGES.ordersFailed, text, kind: 'destructive', about })
  }
}
