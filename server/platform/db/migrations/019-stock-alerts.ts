import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const stockAlerts: Migration = { up }

/** A row waits for the product to be in stock. It is deleted in the transaction that queues the mail. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('stock_alerts')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('product_id', text, column => column.notNull().references('products.id').onDelete('cascade'))
    .addColumn('user_id', text, column => column.notNull().references('users.id'))
    .addColumn('asked_at', text, column => column.notNull())
    .addUniqueConstraint('stock_alerts_of_user', ['user_id', 'product_id'])
    .execute()
  await db.schema.createIndex('stock_alerts_product').on('stock_alerts').column('product_id').execute()
}
