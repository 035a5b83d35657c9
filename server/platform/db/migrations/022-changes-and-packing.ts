import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const orderChanges: Migration = { up: addOrderChanges }
export const packing: Migration = { up: addPacking }

/** An issued invoice never changes, so the lines of an order stay, and each change credits some of their packs. */
async function addOrderChanges(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  const added = { orders: ['changes', 'credited'], order_lines: ['removed'], refunds: ['part'] }
  for (const [table, names] of Object.entries(added)) {
    for (const name of names) {
      await db.schema
        .alterTable(table)
        .addColumn(name, 'bigint', column => column.notNull().defaultTo(0))
        .execute()
    }
  }
  await db.schema
    .createTable('order_changes')
    .addColumn('order_id', text, column => column.notNull().references('orders.id'))
    .addColumn('seq', 'bigint', column => column.notNull())
    .addColumn('changed_at', text, column => column.notNull())
    .addColumn('credit_year', text)
    .addColumn('credit_no', 'bigint')
    .addColumn('credited', 'bigint', column => column.notNull().check(sql`credited >= 0`))
    .addColumn('refunded', 'bigint', column => column.notNull().check(sql`refunded >= 0`))
    .addColumn('details', text, column => column.notNull())
    .addPrimaryKeyConstraint('order_changes_pkey', ['order_id', 'seq'])
    .addUniqueConstraint('order_changes_credit_note', ['credit_year', 'credit_no'])
    .addCheckConstraint('order_changes_refunded', sql`refunded <= credited`)
    .execute()
  await db.schema.createIndex('order_changes_time').on('order_changes').column('changed_at').execute()
  const lines = db.schema
    .createTable('order_change_lines')
    .addColumn('order_id', text, column => column.notNull())
    .addColumn('seq', 'bigint', column => column.notNull())
    .addColumn('n', 'bigint', column => column.notNull())
    .addColumn('quantity', 'bigint', column => column.notNull().check(sql`quantity > 0`))
    .addColumn('coupon_discount', 'bigint', column => column.notNull())
    .addColumn('total', 'bigint', column => column.notNull().check(sql`total >= 0`))
    .addPrimaryKeyConstraint('order_change_lines_pkey', ['order_id', 'seq', 'n'])
    .addForeignKeyConstraint('order_change_lines_change', ['order_id', 'seq'], 'order_changes', ['order_id', 'seq'])
  await ['taxable', 'cgst', 'sgst', 'igst'].reduce((table, name) => table.addColumn(name, 'bigint'), lines).execute()
}

/** Lines of orders that somebody in the kitchen has ticked as packed. */
async function addPacking(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('packed_lines')
    .addColumn('order_id', text, column => column.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('n', 'bigint', column => column.notNull())
    .addColumn('quantity', 'bigint', column => column.notNull())
    .addColumn('packed_at', text, column => column.notNull())
    .addPrimaryKeyConstraint('packed_lines_key', ['order_id', 'n'])
    .execute()
  await db.schema.createIndex('packed_lines_packed_at').on('packed_lines').column('packed_at').execute()
}
