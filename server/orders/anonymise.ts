import { sql } from 'kysely'
import type { ShippingAddress } from '#lib/contract/orders.ts'
import type { Trx } from '../platform/db/tables.ts'

const BATCH_SIZE = 100
const ANONYMOUS_CUSTOMER = JSON.stringify({ name: '', email: '', phone: '' })

/** Items, amounts and the place of supply (the Indian state) stay, because tax law requires them. `now` is ISO. */
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
    // Leaves out orders with an unsent mail. The delivery mail waits while an administrator can undo the delivery.
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
    .limit(BATCH_SIZE)
    .execute()
  for (const { id, address } of orders) {
    await trx
      .updateTable('orders')
      .set({ customer: ANONYMOUS_CUSTOMER, address: placeOfSupply(address), anonymised_at: now })
      .where('id', '=', id)
      .execute()
    await clearMailText(trx, `order-%${id}`)
  }
}

/** Deletes the text of mails whose id matches a LIKE pattern. Their rows stay, so that no mail is sent twice. */
export async function clearMailText(trx: Trx, idPattern: string, cutoff?: string): Promise<void> {
  const query = trx
    .updateTable('outbox')
    .set({ payload: '{}' })
    .where('id', 'like', idPattern)
    .where('state', '!=', 'waiting')
    .where('payload', '!=', '{}')
  await (cutoff === undefined ? query : query.where('created_at', '<', cutoff)).execute()
}

export async function deleteUnusedDraws(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('draws').where('user_id', '=', userId).where('order_id', 'is', null).execute()
}

function placeOfSupply(address: string): string {
  const { state, country } = JSON.parse(address) as ShippingAddress
  return JSON.stringify({ street: '', city: '', state, pincode: '', country })
}
