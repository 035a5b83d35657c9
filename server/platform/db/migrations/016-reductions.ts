import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const reductions: Migration = { up }

/** Products get a sale price. Orders and their lines get what a coupon has taken off. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .alterTable('products')
    .addColumn('sale_price', 'bigint', column => column.check(sql`sale_price >= 0`))
    .execute()
  await db.schema.alterTable('products').addColumn('sale_from', text).execute()
  await db.schema.alterTable('products').addColumn('sale_until', text).execute()
  await db.schema.alterTable('orders').addColumn('coupon_id', text).execute()
  await db.schema.alterTable('orders').addColumn('coupon_code', text).execute()
  await addCouponDiscount(db)
}

/** The total of a line is now price × quantity − coupon discount. SQLite can't change a check, so the table is copied. */
async function addCouponDiscount(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('order_lines_copy')
    .addColumn('order_id', text, column => column.notNull().references('orders.id'))
    .addColumn('n', 'bigint', column => column.notNull())
    .addColumn('product_id', text, column => column.notNull())
    .addColumn('name', text, column => column.notNull())
    .addColumn('category', text, column => column.notNull())
    .addColumn('picture', text)
    .addColumn('pack_value', 'double precision', column => column.notNull())
    .addColumn('pack_unit', text, column => column.notNull())
    .addColumn('pack_type', text, column => column.notNull())
    .addColumn('quantity', 'bigint', column => column.notNull().check(sql`quantity > 0`))
    .addColumn('list_price', 'bigint', column => column.notNull().check(sql`list_price >= 0`))
    .addColumn('percent', 'bigint', column => column.check(sql`percent between 1 and 100`))
    .addColumn('deal_id', text)
    .addColumn('price', 'bigint', column => column.notNull().check(sql`price >= 0`))
    .addColumn('coupon_discount', 'bigint', column =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`coupon_discount >= 0`)
    )
    .addColumn('total', 'bigint', column => column.notNull().check(sql`total >= 0`))
    .addPrimaryKeyConstraint('order_lines_key', ['order_id', 'n'])
    .addCheckConstraint('order_lines_net_total', sql`total = price * quantity - coupon_discount`)
    .execute()
  const names = sql.raw(
    'order_id, n, product_id, name, category, picture, pack_value, pack_unit, pack_type, ' +
      'quantity, list_price, percent, deal_id, price, total'
  )
  await sql`insert into order_lines_copy (${names}) select ${names} from order_lines`.execute(db)
  await db.schema.dropTable('order_lines').execute()
  await db.schema.alterTable('order_lines_copy').renameTo('order_lines').execute()
  await db.schema.createIndex('order_lines_product').on('order_lines').column('product_id').execute()
}
