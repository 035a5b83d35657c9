import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const deletedCheckouts: Migration = { up: addDeletedCheckouts }
export const reductions: Migration = { up: addReductions }
export const familiesAndCollections: Migration = { up: addFamiliesAndCollections }
export const tax: Migration = { up: addTax }
export const stockAlerts: Migration = { up: addStockAlerts }
export const coupons: Migration = { up: addCoupons }

/** A provider order can be paid for ever, so its id is kept when the checkout is deleted. */
async function addDeletedCheckouts(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('deleted_checkouts')
    .addColumn('provider_order_id', text, column => column.primaryKey())
    .addColumn('user_id', text, column => column.notNull().references('users.id'))
    .execute()
  await db.schema
    .createIndex('unitemised_payments_refused')
    .on('unitemised_payments')
    .column('created_at')
    .where('state' as never, '=', sql.lit('refused'))
    .execute()
}

/** Products get a sale price. Orders and their lines get what a coupon has taken off. */
async function addReductions(db: Kysely<unknown>): Promise<void> {
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

/**
 * The total of a line is now price × quantity − coupon discount. SQLite can't change a check, so
 * the table is copied.
 */
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
  await db.schema
    .createIndex('order_lines_product')
    .on('order_lines')
    .column('product_id')
    .execute()
}

async function addFamiliesAndCollections(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema.alterTable('products').addColumn('family_id', text).execute()
  await db.schema
    .alterTable('products')
    .addColumn('family_position', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('products_family').on('products').column('family_id').execute()

  await db.schema
    .createTable('collections')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('name', text, column => column.notNull())
    .addColumn('name_tamil', text, column => column.notNull())
    .addColumn('description', text, column => column.notNull())
    .addColumn('picture_key', text, column => column.references('pictures.key'))
    .addColumn('position', 'bigint', column => column.notNull())
    .addColumn('version', 'bigint', column => column.notNull().defaultTo(1))
    .addColumn('creation_key', text, column => column.unique())
    .addColumn('hidden_at', text)
    .execute()
  await db.schema
    .createIndex('collections_picture')
    .on('collections')
    .column('picture_key')
    .execute()

  await db.schema
    .createTable('collection_products')
    .addColumn('collection_id', text, column =>
      column.notNull().references('collections.id').onDelete('cascade')
    )
    .addColumn('product_id', text, column =>
      column.notNull().references('products.id').onDelete('cascade')
    )
    .addColumn('position', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('collection_products_pkey', ['collection_id', 'product_id'])
    .execute()
  await db.schema
    .createIndex('collection_products_product')
    .on('collection_products')
    .column('product_id')
    .execute()
}

/**
 * An issued invoice keeps its seller and taxes when the settings change. Older orders have none.
 */
async function addTax(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  for (const name of ['tax_status', 'supply_state', 'seller']) {
    await db.schema.alterTable('orders').addColumn(name, text).execute()
  }
  await db.schema.alterTable('order_lines').addColumn('hsn', text).execute()
  for (const name of ['tax_rate', 'taxable', 'cgst', 'sgst', 'igst']) {
    await db.schema.alterTable('order_lines').addColumn(name, 'bigint').execute()
  }
}

/**
 * A row waits for the product to be in stock. It is deleted in the transaction that queues the
 * mail.
 */
async function addStockAlerts(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('stock_alerts')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('product_id', text, column =>
      column.notNull().references('products.id').onDelete('cascade')
    )
    .addColumn('user_id', text, column => column.notNull().references('users.id'))
    .addColumn('asked_at', text, column => column.notNull())
    .addUniqueConstraint('stock_alerts_of_user', ['user_id', 'product_id'])
    .execute()
  await db.schema
    .createIndex('stock_alerts_product')
    .on('stock_alerts')
    .column('product_id')
    .execute()
}

async function addCoupons(db: Kysely<unknown>): Promise<void> {
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
