import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const tax: Migration = { up }

/** An issued invoice keeps its seller and taxes when the settings change. Older orders have none. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  for (const name of ['tax_status', 'supply_state', 'seller']) {
    await db.schema.alterTable('orders').addColumn(name, text).execute()
  }
  await db.schema.alterTable('order_lines').addColumn('hsn', text).execute()
  for (const name of ['tax_rate', 'taxable', 'cgst', 'sgst', 'igst']) {
    await db.schema.alterTable('order_lines').addColumn(name, 'bigint').execute()
  }
}
