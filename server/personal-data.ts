import type { PersonalData } from './accounts/account.ts'
import { listMessagesFrom } from './content/message-queries.ts'
import { listAllDraws } from './deals/queries.ts'
import { deleteCart, readCart } from './orders/cart.ts'
import { anonymiseOrders } from './orders/order-queries.ts'
import { readAllOrders } from './orders/order-view.ts'
import { deleteUnusedDraws } from './orders/stock-queries.ts'

/** Passed to the account routes, so that accounts need not know the features that store personal data. */
export const personalData: PersonalData = {
  async read(deps, { id, email, verified_at }) {
    const db = deps.database.kysely
    // An account with an unverified address gets no contact messages, because the address may be somebody else's.
    const messages = verified_at === null ? [] : await listMessagesFrom(db, email)
    return {
      messages: messages.map(({ reference, name, message, created_at }) => ({
        reference,
        name,
        message,
        createdAt: created_at
      })),
      orders: await readAllOrders(deps, id),
      cart: (await readCart(deps, id)).lines,
      discounts: (await listAllDraws(db, id)).map(({ deal_id, percent, drawn_at, order_id }) => ({
        dealId: deal_id,
        discount: percent,
        drawnAt: drawn_at,
        orderId: order_id
      }))
    }
  },

  async erase(trx, userId, at) {
    await deleteCart(trx, userId)
    await deleteUnusedDraws(trx, userId)
    await anonymiseOrders(trx, at)
  }
}
