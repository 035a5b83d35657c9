import { previewChange } from '#lib/admin/orders.ts'
import { toRupees } from '#lib/money.ts'
import type { AuditEntry } from '#lib/contract/admin.ts'
import type { AdminOrder, AdminOrderList } from '#lib/contract/desk.ts'
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
    async listOrders(query = ''): Promise<string[]> {
      const { body, status, text } = await shop.callAsAdmin(`GET /admin/orders${query}`)
      if (status !== 200) throw new Error(text)
      return (body as AdminOrderList).orders.map(({ orderNumber }) => orderNumber)
    },
    fetchOrder: async (id: string) =>
      (await shop.callAsAdmin(`GET /admin/orders/${id}`)).body as AdminOrder,
    /** Returns audit entries, such as `Meena moved {"status":"pending"} {"status":"packed"}`. */
    async auditLog(id: string): Promise<string[]> {
      const { body } = await shop.callAsAdmin(`GET /admin/audit?kind=order&id=${id}`)
      return (body as AuditEntry[]).map(({ actor, action, before, after }) =>
        [actor.name, action, JSON.stringify(before), JSON.stringify(after)].join(' ')
      )
    },
    async statusMails(): Promise<string[]> {
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
