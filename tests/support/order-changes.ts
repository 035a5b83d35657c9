import { previewChange } from '#lib/admin/orders.ts'
import { toRupees } from '#lib/money.ts'
import { ADMIN } from './accounts.ts'
import type { AdminOrdersShop } from './admin-orders.ts'
import type { Reply } from './shop.ts'

export const CART = [
  { product: 'lemon', quantity: 3 },
  { product: 'laddu', quantity: 1 }
]
/** Lines of the cart. */
export const [LEMON, LADDU] = [1, 2]

/** Sends the refund that the preview shows, unless `body` has another. */
export async function change(shop: AdminOrdersShop, id: string, body: object): Promise<Reply> {
  const order = await shop.fetchOrder(id)
  const preview = previewChange(order, (body as { lines?: [] }).lines)
  const refund = 'problem' in preview ? 0 : toRupees(preview.refund)
  return shop.callAsAdmin(`POST /admin/orders/${id}/change`, {
    version: order.version,
    refund,
    ...body
  })
}

export async function cancel(shop: AdminOrdersShop, id: string): Promise<Reply> {
  const body = { from: 'pending', reason: 'Sold out', proof: { password: ADMIN.password } }
  return shop.callAsAdmin(`POST /admin/orders/${id}/cancel`, body)
}
