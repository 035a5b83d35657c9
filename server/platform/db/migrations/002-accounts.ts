import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const accounts: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('user_id', text, column => column.notNull().references('users.id').onDelete('cascade'))
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
  await db.schema.createIndex('otp_codes_email').on('otp_codes').columns(['email', 'created_at']).execute()
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
  await db.schema.createIndex('rate_counts_window').on('rate_counts').column('window_start').execute()
}
