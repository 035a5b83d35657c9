import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const shopperCancellations: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema.alterTable('orders').addColumn('cancelled_by_shopper_at', text).execute()
}
