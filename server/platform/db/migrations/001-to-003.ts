import { type Kysely, type Migration, sql } from 'kysely'
import { columns } from './columns.ts'

export const storefront: Migration = { up: createStorefront }

async function createStorefront(db: Kysely<unknown>): Promise<void> {
  await createCatalog(db)
  await createContent(db)
  await createMachinery(db)
}

async function createCatalog(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('products')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('name', text, column => column.notNull())
    .addColumn('name_tamil', text, column => column.notNull())
    .addColumn('description', text, column => column.notNull())
    .addColumn('price', 'bigint', column => column.notNull().check(sql`price >= 0`))
    .addColumn('category', text, column => column.notNull())
    .addColumn('dietary', text, column => column.notNull())
    .addColumn('rating', 'bigint', column => column.notNull().check(sql`rating between 0 and 50`))
    .addColumn('stock', 'bigint', column => column.notNull().check(sql`stock >= 0`))
    .addColumn('ingredients', text, column => column.notNull())
    .addColumn('pack_value', 'double precision', column =>
      column.notNull().check(sql`pack_value > 0`)
    )
    .addColumn('pack_unit', text, column => column.notNull())
    .addColumn('pack_type', text, column => column.notNull())
    .addColumn('shelf_life', text, column => column.notNull())
    .addColumn('created_at', text, column => column.notNull())
    .execute()

  await db.schema
    .createTable('pictures')
    .addColumn('key', text, column => column.primaryKey())
    .addColumn('name', text, column => column.unique())
    .addColumn('width', 'bigint', column => column.notNull().check(sql`width > 0`))
    .addColumn('height', 'bigint', column => column.notNull().check(sql`height > 0`))
    .addColumn('alt', text, column => column.notNull())
    .addColumn('color', text, column => column.notNull())
    .execute()

  await db.schema
    .createTable('product_pictures')
    .addColumn('product_id', text, column =>
      column.notNull().references('products.id').onDelete('cascade')
    )
    .addColumn('position', 'bigint', column => column.notNull().check(sql`position >= 0`))
    .addColumn('picture_key', text, column => column.notNull().references('pictures.key'))
    .addPrimaryKeyConstraint('product_pictures_pkey', ['product_id', 'position'])
    .execute()
  await db.schema
    .createIndex('product_pictures_picture')
    .on('product_pictures')
    .column('picture_key')
    .execute()

  await db.schema
    .createTable('deals')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('product_id', text, column =>
      column.notNull().references('products.id').onDelete('cascade')
    )
    .addColumn('percent', 'bigint', column =>
      column.notNull().check(sql`percent between 1 and 100`)
    )
    .addColumn('starts_at', text, column => column.notNull())
    .addColumn('ends_at', text, column => column.notNull())
    .addCheckConstraint('deals_end_after_start', sql`ends_at > starts_at`)
    .execute()
  await db.schema
    .createIndex('deals_product')
    .on('deals')
    .columns(['product_id', 'starts_at'])
    .execute()
  await db.schema.createIndex('deals_ends').on('deals').column('ends_at').execute()
}

async function createContent(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('posts')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('title', text, column => column.notNull())
    .addColumn('author', text, column => column.notNull())
    .addColumn('excerpt', text, column => column.notNull())
    .addColumn('content', text, column => column.notNull())
    .addColumn('picture_key', text, column => column.references('pictures.key'))
    .addColumn('created_at', text, column => column.notNull())
    .execute()
  await db.schema.createIndex('posts_picture').on('posts').column('picture_key').execute()
  await db.schema.createIndex('posts_created').on('posts').column('created_at').execute()

  await db.schema
    .createTable('contact_messages')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('reference', text, column => column.notNull().unique())
    .addColumn('name', text, column => column.notNull())
    .addColumn('email', text, column => column.notNull())
    .addColumn('message', text, column => column.notNull())
    .addColumn('created_at', text, column => column.notNull())
    .execute()
}

async function createMachinery(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('outbox')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('payload', text, column => column.notNull())
    .addColumn('state', text, column =>
      column.notNull().check(sql`state in ('waiting', 'sent', 'given_up')`)
    )
    .addColumn('attempts', 'bigint', column => column.notNull().check(sql`attempts >= 0`))
    .addColumn('next_at', text, column => column.notNull())
    .addColumn('created_at', text, column => column.notNull())
    .execute()
  await db.schema.createIndex('outbox_next').on('outbox').columns(['state', 'next_at']).execute()

  await db.schema
    .createTable('leases')
    .addColumn('name', text, column => column.primaryKey())
    .addColumn('holder', text, column => column.notNull())
    .addColumn('until', text, column => column.notNull())
    .execute()

  await db.schema
    .createTable('counters')
    .addColumn('name', text, column => column.primaryKey())
    .addColumn('value', 'bigint', column => column.notNull())
    .execute()
}

export const accounts: Migration = { up: createAccounts }

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await createUsers(db)
  await createCodes(db)
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('users')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('email', text, column => column.notNull().unique())
    .addColumn('name', text, column => column.notNull())
    .addColumn('role', text, column => column.notNull().check(sql`role in ('admin', 'user')`))
    .addColumn('phone', text, column => column.notNull())
    .addColumn('address', text)
    .addColumn('password_hash', text)
    .addColumn('verified_at', text)
    .addColumn('created_at', text, column => column.notNull())
    .addColumn('deleted_at', text)
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', text, column => column.primaryKey())
    .addColumn('user_id', text, column =>
      column.notNull().references('users.id').onDelete('cascade')
    )
    .addColumn('created_at', text, column => column.notNull())
    .addColumn('expires_at', text, column => column.notNull())
    .addColumn('renewed_at', text, column => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
  await db.schema.createIndex('sessions_expires').on('sessions').column('expires_at').execute()
}

async function createCodes(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('otp_codes')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('email', text, column => column.notNull())
    .addColumn('mac', text, column => column.notNull())
    .addColumn('created_at', text, column => column.notNull())
    .addColumn('expires_at', text, column => column.notNull())
    .addColumn('voided_at', text)
    .execute()
  await db.schema
    .createIndex('otp_codes_email')
    .on('otp_codes')
    .columns(['email', 'created_at'])
    .execute()
  await db.schema.createIndex('otp_codes_created').on('otp_codes').column('created_at').execute()

  await db.schema
    .createTable('otp_tries')
    .addColumn('email', text, column => column.primaryKey())
    .addColumn('attempts', 'bigint', column => column.notNull().check(sql`attempts >= 0`))
    .addColumn('sent_at', text, column => column.notNull())
    .execute()

  await db.schema
    .createTable('rate_counts')
    .addColumn('key', text, column => column.notNull())
    .addColumn('window_start', text, column => column.notNull())
    .addColumn('count', 'bigint', column => column.notNull().check(sql`count >= 0`))
    .addPrimaryKeyConstraint('rate_counts_pkey', ['key', 'window_start'])
    .execute()
  await db.schema
    .createIndex('rate_counts_window')
    .on('rate_counts')
    .column('window_start')
    .execute()
}

export const draws: Migration = { up: createDraws }

async function createDraws(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('draws')
    .addColumn('deal_id', text, column =>
      column.notNull().references('deals.id').onDelete('cascade')
    )
    .addColumn('user_id', text, column =>
      column.notNull().references('users.id').onDelete('cascade')
    )
    .addColumn('percent', 'bigint', column =>
      column.notNull().check(sql`percent between 1 and 100`)
    )
    .addColumn('drawn_at', text, column => column.notNull())
    .addColumn('order_id', text)
    .addPrimaryKeyConstraint('draws_pkey', ['deal_id', 'user_id'])
    .execute()
  await db.schema.createIndex('draws_user').on('draws').column('user_id').execute()
}
