import { type Kysely, type Migration, sql } from 'kysely'
import { columns, createDueIndex } from './columns.ts'

export const admin: Migration = {
  async up(db: Kysely<unknown>) {
    const { text } = columns(db)
    for (const table of VERSIONED) {
      await db.schema
        .alterTable(table)
        .addColumn('version', 'bigint', column => column.notNull().defaultTo(1))
        .execute()
    }
    for (const table of MADE_ONCE) {
      await db.schema.alterTable(table).addColumn('creation_key', text).execute()
      await db.schema
        .createIndex(`${table}_creation_key`)
        .on(table)
        .column('creation_key')
        .unique()
        .execute()
    }
    await db.schema.alterTable('products').addColumn('hidden_at', text).execute()
    for (const column of ['read_at', 'answered_at']) {
      await db.schema.alterTable('contact_messages').addColumn(column, text).execute()
    }
    await db.schema
      .createIndex('contact_messages_created')
      .on('contact_messages')
      .column('created_at')
      .execute()
    await createAudit(db)
  }
}

const VERSIONED = ['products', 'posts', 'deals'] as const
const MADE_ONCE = ['products', 'posts'] as const
const KINDS = ['product', 'stock', 'deal', 'post', 'user', 'order', 'message', 'publish']

async function createAudit(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  const kinds = sql.join(KINDS.map(kind => sql.lit(kind)))
  await db.schema
    .createTable('audit')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('at', text, column => column.notNull())
    .addColumn('actor_id', text)
    .addColumn('actor_name', text, column => column.notNull())
    .addColumn('kind', text, column => column.notNull().check(sql`kind in (${kinds})`))
    .addColumn('subject_id', text, column => column.notNull())
    .addColumn('what', text, column => column.notNull())
    .addColumn('before', text)
    .addColumn('after', text)
    .execute()
  await db.schema
    .createIndex('audit_subject')
    .on('audit')
    .columns(['kind', 'subject_id', 'at'])
    .execute()
  await db.schema.createIndex('audit_at').on('audit').column('at').execute()
}

export const publishes: Migration = {
  async up(db: Kysely<unknown>) {
    const { text } = columns(db)
    await db.schema
      .createTable('publishes')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('cause', text, column => column.notNull())
      .addColumn('state', text, column =>
        column.notNull().check(sql`state in ('waiting', 'rendering', 'live', 'failed')`)
      )
      .addColumn('requested_at', text, column => column.notNull())
      .addColumn('started_at', text)
      .addColumn('ended_at', text)
      .addColumn('release', text)
      .addColumn('pages', 'bigint')
      .addColumn('problem', text)
      .addColumn('counter', 'bigint')
      .addColumn('code', text)
      .execute()
    await db.schema
      .createIndex('publishes_requested')
      .on('publishes')
      .column('requested_at')
      .execute()
  }
}

export const blog: Migration = {
  async up(db: Kysely<unknown>) {
    const { text } = columns(db)
    for (const column of ['hidden_at', 'picture_alt']) {
      await db.schema.alterTable('posts').addColumn(column, text).execute()
    }
  }
}

/** Gives tables and columns the names of the glossary. */
export const plainNames: Migration = {
  async up(db: Kysely<unknown>) {
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
}

export const shopperCancellations: Migration = {
  async up(db: Kysely<unknown>) {
    const { text } = columns(db)
    await db.schema.alterTable('orders').addColumn('cancelled_by_shopper_at', text).execute()
  }
}

/** Tries of login codes are counted in `rate_counts`, per network and device. */
export const codeTries: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropTable('otp_tries').execute()
  }
}

/** For the deletion of checkouts that nobody tried to pay. */
export const unpaidOrders: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('orders_unpaid_ended')
      .on('orders')
      .column('ended_at')
      .where('paid_at' as never, 'is', sql.lit(null))
      .execute()
    await db.schema
      .createIndex('unitemised_payments_order')
      .on('unitemised_payments')
      .column('order_id')
      .execute()
  }
}

/** Makes it cheap to check whether a product was ever ordered. */
export const orderedProducts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('order_lines_product')
      .on('order_lines')
      .column('product_id')
      .execute()
  }
}
