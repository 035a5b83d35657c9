import { randomUUID } from 'node:crypto'
import { previewRefund } from '#lib/admin/refunds.ts'
import type { FulfilmentStatus } from '#lib/contract/names.ts'
import { toRupees } from '#lib/money.ts'
import type { AuditEntry } from '#lib/contract/admin.ts'
import type { AdminOrder, AdminOrderList, OrderRefundRequest } from '#lib/contract/desk.ts'
import { ADMIN } from './accounts.ts'
import { withAdmin } from './admin-products.ts'
import { addShopper, expectInvariants, openCheckoutShop } from './checkout.ts'
import type { Engine } from './database.ts'
import type { Reply } from './shop.ts'

export { LEMONS } from './checkout.ts'
export const LADDUS = [{ product: 'laddu', quantity: 1 }]
export const CART = [
  { product: 'lemon', quantity: 3 },
  { product: 'laddu', quantity: 1 }
]
/** Lines of the cart. */
export const [LEMON, LADDU] = [1, 2]

export type AdminOrdersShop = Awaited<ReturnType<typeof openAdminOrdersShop>>

export async function openAdminOrdersShop(engine: Engine = 'sqlite') {
  const products = {
    lemon: { category: 'pickles', price: 120, stock: 50 },
    laddu: { price: 180.5 }
  } as const
  const shop = await withAdmin(await openCheckoutShop(engine, { products }))
  return {
    ...shop,
    anita: await addShopper(shop, 'anita'),
    changeStatus: (id: string, from: string, to: string) =>
      shop.callAsAdmin(`POST /admin/orders/${id}/move`, { from, to }),
    async listOrders(query = '') {
      const { body, status, text } = await shop.callAsAdmin(`GET /admin/orders${query}`)
      if (status !== 200) throw new Error(text)
      return (body as AdminOrderList).orders.map(({ orderNumber }) => orderNumber)
    },
    fetchOrder: async (id: string) =>
      (await shop.callAsAdmin(`GET /admin/orders/${id}`)).body as AdminOrder,
    /** Returns audit entries, such as `Meena moved {"status":"pending"} {"status":"packed"}`. */
    async auditLog(id: string) {
      const { body } = await shop.callAsAdmin(`GET /admin/audit?kind=order&id=${id}`)
      return (body as AuditEntry[]).map(({ actor, action, before, after }) =>
        [actor.name, action, JSON.stringify(before), JSON.stringify(after)].join(' ')
      )
    },
    async statusMails() {
      await shop.deliverMails()
      return shop.mails
        .map(({ subject }) => subject)
        .filter(subject => /packed|delivered|cancelled/.test(subject))
    }
  }
}

export async function openCheckedShop(engine: Engine = 'sqlite'): Promise<AdminOrdersShop> {
  const shop = await openAdminOrdersShop(engine)
  expectInvariants(shop)
  return shop
}

export async function change(shop: AdminOrdersShop, id: string, body: object): Promise<Reply> {
  const { version } = await shop.fetchOrder(id)
  return shop.callAsAdmin(`POST /admin/orders/${id}/change`, { version, ...body })
}

interface RefundBody extends Partial<OrderRefundRequest> {
  /** By line. */
  packs?: Readonly<Record<number, number>>
}

/** Refunds what the preview shows, unless `body` has another refund. */
export async function refund(
  shop: AdminOrdersShop,
  id: string,
  { packs = {}, ...body }: RefundBody
): Promise<Reply> {
  return shop.callAsAdmin(
    `POST /admin/orders/${id}/refund`,
    toRefundRequest(await shop.fetchOrder(id), packs, body)
  )
}

export function toRefundRequest(
  order: AdminOrder,
  packs: Readonly<Record<number, number>>,
  body: Partial<OrderRefundRequest>
): OrderRefundRequest {
  const lines = Object.entries(packs).map(([line, count]) => ({ line: Number(line), packs: count }))
  const request = { key: randomUUID(), version: order.version, lines, ...body }
  const preview = previewRefund(order, request)
  return {
    refund: 'problem' in preview ? 0 : toRupees(preview.refund),
    cause: 'asked',
    restock: true,
    ...request
  }
}

export async function cancel(
  shop: AdminOrdersShop,
  id: string,
  from: FulfilmentStatus = 'pending'
): Promise<Reply> {
  const body = { from, reason: 'Sold out', proof: { password: ADMIN.password } }
  return shop.callAsAdmin(`POST /admin/orders/${id}/cancel`, body)
}
