import { MINUTE, SECOND, type EpochMs } from '#lib/time.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db } from '../platform/db/tables.ts'

/** Name and help text of each gauge that is read from the database. */
export const GAUGES = {
  shop_outbox_waiting: 'Mails that wait to be sent',
  shop_outbox_oldest_seconds: 'Age of the oldest mail that waits to be sent',
  shop_reservations_open: 'Unpaid checkouts that reserve stock',
  shop_refunds_open: 'Refunds that the provider has not confirmed yet',
  shop_webhooks_waiting: 'Webhooks that wait for a lookup for more than a minute',
  shop_publish_seconds: 'Duration of the last publish that went live',
  shop_publish_live_timestamp_seconds: 'Time at which the last publish went live',
  shop_publish_failed: '1 if the newest publish has failed, otherwise 0'
} as const

export type ShopState = Partial<Record<keyof typeof GAUGES, number>>

export async function readState(db: Db, now: EpochMs): Promise<ShopState> {
  const waiting = db.selectFrom('outbox').where('state', '=', 'waiting')
  const minuteAgo = new Date(now - MINUTE).toISOString()
  const [mails, oldest, reservations, refunds, webhooks, publishes] = await Promise.all([
    countRows(waiting),
    waiting.select(({ fn }) => fn.min('created_at').as('at')).executeTakeFirst(),
    countRows(db.selectFrom('orders').where('payment_state', '=', 'awaiting')),
    countRows(db.selectFrom('refunds').where('state', 'in', ['due', 'sent'])),
    countRows(db.selectFrom('webhook_events').where('next_at', '<', minuteAgo)),
    db
      .selectFrom('publishes')
      .select(['state', 'started_at', 'ended_at'])
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .execute()
  ])
  const live = publishes.find(({ state }) => state === 'live')
  const endedAt = Date.parse(live?.ended_at ?? '')
  return {
    shop_outbox_waiting: mails,
    shop_outbox_oldest_seconds: oldest?.at ? (now - Date.parse(oldest.at)) / SECOND : 0,
    shop_reservations_open: reservations,
    shop_refunds_open: refunds,
    shop_webhooks_waiting: webhooks,
    ...(live?.started_at && {
      shop_publish_seconds: (endedAt - Date.parse(live.started_at)) / SECOND,
      shop_publish_live_timestamp_seconds: endedAt / SECOND
    }),
    shop_publish_failed: publishes[0]?.state === 'failed' ? 1 : 0
  }
}
