import { sql, type Kysely, type Migration } from 'kysely'
import { columns, createDueIndex } from './columns.ts'

export const orders: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await createOrders(db)
  await createOrderParts(db)
  await createPayments(db)
  await createInbox(db)
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('orders')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('order_no', text, column => column.notNull().unique())
    .addColumn('user_id', text, column => column.notNull().references('users.id'))
    .addColumn('checkout_key', text, column => column.notNull())
    .addColumn('request', text, column => column.notNull())
    .addColumn('payment_state', text, column =>
      column
        .notNull()
        .check(
          sql`payment_state in ('awaiting', 'paid', 'expired', 'cancelled', 'refund_due', 'refunded')`
        )
    )
    .addColumn('fulfil_state', text, column =>
      column.check(sql`fulfil_state in ('pending', 'packed', 'delivered', 'cancelled')`)
    )
    .addColumn('currency', text, column => column.notNull())
    .addColumn('total', 'bigint', column => column.notNull().check(sql`total >= 0`))
    .addColumn('customer', text, column => column.notNull())
    .addColumn('address', text, column => column.notNull())
    .addColumn('delivery_date', text)
    .addColumn('provider_order_id', text, column => column.unique())
    .addColumn('signature', text)
    .addColumn('hold_until', text, column => column.notNull())
    .addColumn('attempted_at', text)
    .addColumn('next_check_at', text)
    .addColumn('paid_payment_id', text, column => column.unique())
    .addColumn('paid_at', text)
    .addColumn('packed_at', text)
    .addColumn('delivered_at', text)
    .addColumn('ended_at', text)
    .addColumn('invoice_year', text)
    .addColumn('invoice_no', 'bigint')
    .addColumn('credit_year', text)
    .addColumn('credit_no', 'bigint')
    .addColumn('forgotten_at', text)
    .addColumn('created_at', text, column => column.notNull())
    .addUniqueConstraint('orders_checkout', ['user_id', 'checkout_key'])
    .addUniqueConstraint('orders_invoice', ['invoice_year', 'invoice_no'])
    .addUniqueConstraint('orders_credit_note', ['credit_year', 'credit_no'])
    .execute()
  await db.schema.createIndex('orders_created').on('orders').column('created_at').execute()
  await db.schema
    .createIndex('orders_awaiting')
    .on('orders')
    .column('user_id')
    .where('payment_state' as never, '=', sql.lit('awaiting'))
    .execute()
  await createDueIndex(db, 'orders', 'next_check_at')
}

async function createOrderParts(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('order_lines')
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
    .addColumn('total', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('order_lines_pkey', ['order_id', 'n'])
    .addCheckConstraint('order_lines_total', sql`total = price * quantity`)
    .execute()

  await db.schema
    .createTable('stock_moves')
    .addColumn('order_id', text, column => column.notNull().references('orders.id'))
    .addColumn('product_id', text, column => column.notNull())
    .addColumn('seq', 'bigint', column => column.notNull())
    .addColumn('delta', 'bigint', column => column.notNull())
    .addColumn('why', text, column => column.notNull())
    .addColumn('moved_at', text, column => column.notNull())
    .addPrimaryKeyConstraint('stock_moves_pkey', ['order_id', 'product_id', 'seq'])
    .execute()
  await db.schema.createIndex('draws_order').on('draws').column('order_id').execute()

  await db.schema
    .createTable('carts')
    .addColumn('user_id', text, column =>
      column.primaryKey().references('users.id').onDelete('cascade')
    )
    .addColumn('lines', text, column => column.notNull())
    .addColumn('version', 'bigint', column => column.notNull())
    .addColumn('updated_at', text, column => column.notNull())
    .execute()
}

async function createPayments(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('bare_payments')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('user_id', text, column => column.notNull().references('users.id'))
    .addColumn('state', text, column =>
      column.notNull().check(sql`state in ('open', 'used', 'refused')`)
    )
    .addColumn('total', 'bigint', column => column.notNull().check(sql`total > 0`))
    .addColumn('provider_order_id', text, column => column.unique())
    .addColumn('order_id', text, column => column.references('orders.id'))
    .addColumn('next_check_at', text)
    .addColumn('created_at', text, column => column.notNull())
    .execute()
  await createDueIndex(db, 'bare_payments', 'next_check_at')

  await db.schema
    .createTable('payments')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('provider_order_id', text)
    .addColumn('amount', 'bigint', column => column.notNull().check(sql`amount >= 0`))
    .addColumn('currency', text, column => column.notNull())
    .addColumn('status', text, column => column.notNull())
    .addColumn('rank', 'bigint', column => column.notNull())
    .addColumn('method', text)
    .addColumn('created_at', text, column => column.notNull())
    .addColumn('updated_at', text, column => column.notNull())
    .execute()
  await db.schema.createIndex('payments_order').on('payments').column('provider_order_id').execute()

  await db.schema
    .createTable('refunds')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('payment_id', text, column => column.notNull().references('payments.id'))
    .addColumn('seq', 'bigint', column => column.notNull())
    .addColumn('order_id', text, column => column.references('orders.id'))
    .addColumn('amount', 'bigint', column => column.notNull().check(sql`amount > 0`))
    .addColumn('reason', text, column => column.notNull())
    .addColumn('state', text, column =>
      column.notNull().check(sql`state in ('due', 'sent', 'processed', 'failed')`)
    )
    .addColumn('body', text, column => column.notNull())
    .addColumn('provider_refund_id', text, column => column.unique())
    .addColumn('attempts', 'bigint', column => column.notNull())
    .addColumn('next_at', text)
    .addColumn('created_at', text, column => column.notNull())
    .addUniqueConstraint('refunds_once', ['payment_id', 'seq'])
    .execute()
  await db.schema.createIndex('refunds_order').on('refunds').column('order_id').execute()
  await createDueIndex(db, 'refunds', 'next_at')
}

async function createInbox(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('webhook_events')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('type', text, column => column.notNull())
    .addColumn('payment_id', text)
    .addColumn('refund_id', text)
    .addColumn('attempts', 'bigint', column => column.notNull())
    .addColumn('next_at', text)
    .addColumn('received_at', text, column => column.notNull())
    .execute()
  await createDueIndex(db, 'webhook_events', 'next_at')
  await db.schema
    .createIndex('webhook_events_received')
    .on('webhook_events')
    .column('received_at')
    .execute()
}
