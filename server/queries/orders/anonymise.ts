import { sql } from 'kysely'
import type { ShippingAddress } from '#lib/contract/orders.ts'
import type { Trx } from '../../db/tables.ts'

const BATCH = 100
const ANONYMOUS_CUSTOMER = JSON.stringify({ name: '', email: '', phone: '' })

/**
 * Anonymises orders of deleted accounts once delivery and refund are complete. Items, amounts and state of delivery
 * stay, because tax law requires them. `now` is ISO.
 */
export async function anonymiseOrders(trx: Trx, now: string): Promise<void> {
  const orders = await trx
    .selectFrom('orders')
    .select(['id', 'address'])
    .where('user_id', 'in', trx.selectFrom('users').select('users.id').where('deleted_at', 'is not', null))
    .where('anonymised_at', 'is', null)
    .where(row =>
      row.or([
        row('payment_state', 'in', ['expired', 'cancelled', 'refunded']),
        row.and([row('payment_state', '=', 'paid'), row('fulfilment_status', '=', 'delivered')])
      ])
    )
    // An order that was just delivered may be set back, and its mail is still due.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox')
            .select('outbox.id')
            .where('outbox.state', '=', 'waiting')
            .where('outbox.id', 'like', sql<string>`'order-%' || orders.id`)
        )
      )
    )
    .limit(BATCH)
    .execute()
  for (const { id, address } of orders) {
    await trx
      .updateTable('orders')
      .set({ customer: ANONYMOUS_CUSTOMER, address: placeOfSupply(address), anonymised_at: now })
      .where('id', '=', id)
      .execute()
    await deleteOrderMails(trx, `order-%${id}`)
  }
}

/** Deletes the text of sent mails whose id matches a LIKE pattern; the rows stay, so that no mail is sent twice. */
export async function deleteOrderMails(trx: Trx, ids: string, before?: string): Promise<void> {
  const query = trx
    .updateTable('outbox')
    .set({ payload: '{}' })
    .where('id', 'like', ids)
    .where('state', '!=', 'waiting')
    .where('payload', '!=', '{}')
  await (before === undefined ? query : query.where('created_at', '<', before)).execute()
}

export async function deleteUnusedDraws(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('draws').where('user_id', '=', userId).where('order_id', 'is', null).execute()
}

function placeOfSupply(address: string): string {
  const { state, country } = JSON.parse(address) as ShippingAddress
  return JSON.stringify({ street: '', city: '', state, pincode: '', country })
}
