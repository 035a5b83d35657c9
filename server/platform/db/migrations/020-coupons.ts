import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const coupons: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('coupons')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('code', text, column => column.notNull().unique())
    .addColumn('percent', 'bigint', column => column.check(sql`percent between 1 and 100`))
    .addColumn('amount', 'bigint', column => column.check(sql`amount > 0`))
    .addColumn('minimum', 'bigint', column => column.notNull().check(sql`minimum >= 0`))
    .addColumn('starts_at', text, column => column.notNull())
    .addColumn('ends_at', text)
    .addColumn('once_per_person', 'bigint', column => column.notNull())
    .addColumn('max_uses', 'bigint')
    .addColumn('uses', 'bigint', column =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`uses >= 0`)
    )
    .addColumn('categories', text, column => column.notNull())
    .addColumn('may_be_free', 'bigint', column => column.notNull())
    .addColumn('version', 'bigint', column => column.notNull().defaultTo(1))
    .addColumn('creation_key', text, column => column.unique())
    .addColumn('created_at', text, column => column.notNull())
    .addCheckConstraint('coupons_kind', sql`(percent is null) <> (amount is null)`)
    .execute()
  await db.schema
    .createTable('coupon_uses')
    .addColumn('order_id', text, column => column.primaryKey())
    .addColumn('coupon_id', text, column => column.notNull().references('coupons.id'))
    .addColumn('person', text)
    .addColumn('active', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('coupon_uses_person')
    .on('coupon_uses')
    .columns(['coupon_id', 'person'])
    .unique()
    .where('active' as never, '=', sql.lit(1))
    .execute()
}
