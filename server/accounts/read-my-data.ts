import type { MyData, User } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { isoNow } from '../platform/process/clock.ts'
import { listMessagesFrom } from '../content/message-queries.ts'
import { listAllDraws } from '../deals/draw-queries.ts'
import { listSessions } from './session-queries.ts'
import { findUser, toUser } from './users.ts'
import { readCart } from '../orders/carts.ts'
import { readAllOrders } from '../orders/read-orders.ts'
import type { AccountDeps } from './deps.ts'

/** Throws UNAUTHORIZED if the account was deleted. */
export async function readMyData(
  { database, clock }: Pick<AccountDeps, 'database' | 'clock'>,
  { email }: User
): Promise<MyData> {
  const db = database.kysely
  const account = await findUser(db, email)
  if (!account) throw new ShopError('UNAUTHORIZED')
  const sessions = await listSessions(db, account.id)
  // An account with an unverified address gets no contact messages, because the address may be somebody else's.
  const messages = account.verified_at === null ? [] : await listMessagesFrom(db, email)
  return {
    exportedAt: isoNow(clock),
    account: { ...toUser(account), createdAt: account.created_at, verifiedAt: account.verified_at },
    sessions: sessions.map(row => ({
      createdAt: row.created_at,
      renewedAt: row.renewed_at,
      expiresAt: row.expires_at
    })),
    messages: messages.map(({ reference, name, message, created_at }) => ({
      reference,
      name,
      message,
      createdAt: created_at
    })),
    orders: await readAllOrders({ database, clock }, account.id),
    cart: (await readCart({ database }, account.id)).lines,
    discounts: (await listAllDraws(db, account.id)).map(({ deal_id, percent, drawn_at, order_id }) => ({
      dealId: deal_id,
      discount: percent,
      drawnAt: drawn_at,
      orderId: order_id
    }))
  }
}
