import { sql, type Kysely, type Migration } from 'kysely'
import { createDueIndex } from './columns.ts'

export const plainNames: Migration = { up }

/** Gives tables and columns the names of the glossary in docs/decisions.md. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('orders').renameColumn('request', 'request_hash').execute()
  await schema.alterTable('orders').renameColumn('fulfil_state', 'fulfilment_status').execute()
  await schema.alterTable('orders').renameColumn('hold_until', 'reserved_until').execute()
  await schema.alterTable('orders').renameColumn('forgotten_at', 'anonymised_at').execute()
  await schema.alterTable('stock_moves').renameTo('stock_movements').execute()
  await schema.alterTable('stock_movements').renameColumn('why', 'reason').execute()
  await sql`update stock_movements set reason = 'reserved' where reason = 'held'`.execute(db)
  await schema.alterTable('audit').renameColumn('what', 'action').execute()
  await schema.dropIndex('bare_payments_next_check').execute()
  await schema.alterTable('bare_payments').renameTo('unitemised_payments').execute()
  await createDueIndex(db, 'unitemised_payments', 'next_check_at')
}
