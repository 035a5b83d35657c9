import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const unpaidCheckouts: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema.alterTable('orders').addColumn('network', text).execute()
  // How long an account has kept stock stays known when the checkout is deleted.
  await db.schema.alterTable('deleted_checkouts').addColumn('reserved_from', text).execute()
  await db.schema.alterTable('deleted_checkouts').addColumn('reserved_until', text).execute()
  const ofUser = db.schema.createIndex('deleted_checkouts_user').on('deleted_checkouts')
  await ofUser.columns(['user_id', 'reserved_until']).execute()
  // Accounts with a delivered order may reserve more, so each checkout asks for one.
  await sql`create index orders_delivered on orders (user_id) where fulfilment_status = 'delivered'`.execute(
    db
  )
  // Cancelled checkouts are deleted much sooner than expired ones.
  await db.schema.dropIndex('orders_unpaid_ended').execute()
  await sql`create index orders_unpaid on orders (payment_state, ended_at) where paid_at is null`.execute(
    db
  )
}
