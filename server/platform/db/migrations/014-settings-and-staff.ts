import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const settings: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await createSettings(db)
  await allowAllAuditKinds(db)
  await createAnswers(db)
  await createStaff(db)
}

/** Each save adds a row, so that every earlier version of a section can be restored. */
async function createSettings(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('settings')
    .addColumn('section', text, column => column.notNull())
    .addColumn('version', 'bigint', column => column.notNull())
    .addColumn('value', text, column => column.notNull())
    .addColumn('saved_at', text, column => column.notNull())
    .addColumn('saved_by', text)
    .addColumn('saved_by_name', text, column => column.notNull())
    .addPrimaryKeyConstraint('settings_version', ['section', 'version'])
    .execute()
}

/**
 * The audit log gets entries of a new kind. SQLite can't change a check, so the table is copied
 * without it.
 */
async function allowAllAuditKinds(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('audit_copy')
    .addColumn('id', text, column => column.primaryKey())
    .addColumn('at', text, column => column.notNull())
    .addColumn('actor_id', text)
    .addColumn('actor_name', text, column => column.notNull())
    .addColumn('kind', text, column => column.notNull())
    .addColumn('subject_id', text, column => column.notNull())
    .addColumn('action', text, column => column.notNull())
    .addColumn('before', text)
    .addColumn('after', text)
    .execute()
  const names = sql.raw('id, at, actor_id, actor_name, kind, subject_id, action, "before", "after"')
  await sql`insert into audit_copy (${names}) select ${names} from audit`.execute(db)
  await db.schema.dropTable('audit').execute()
  await db.schema.alterTable('audit_copy').renameTo('audit').execute()
  await db.schema
    .createIndex('audit_subject')
    .on('audit')
    .columns(['kind', 'subject_id', 'at'])
    .execute()
  await db.schema.createIndex('audit_at').on('audit').column('at').execute()
}

async function createAnswers(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .alterTable('contact_messages')
    .addColumn('phone', text, column => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .createTable('message_answers')
    .addColumn('message_id', text, column => column.notNull().references('contact_messages.id'))
    .addColumn('key', text, column => column.notNull())
    .addColumn('text', text, column => column.notNull())
    .addColumn('answered_by', text, column => column.notNull())
    .addColumn('answered_by_name', text, column => column.notNull())
    .addColumn('created_at', text, column => column.notNull())
    .addPrimaryKeyConstraint('message_answers_key', ['message_id', 'key'])
    .execute()
}

/**
 * Administrators become owners. The wire's role follows from the new column: all members of the
 * staff are `admin`.
 */
async function createStaff(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema.alterTable('users').addColumn('staff', text).execute()
  await sql`update users set staff = 'owner' where role = 'admin'`.execute(db)
  await db.schema.alterTable('users').dropColumn('role').execute()
  // Both columns are empty in existing rows, because nobody knows any more how they were made.
  await db.schema.alterTable('users').addColumn('printed_password_at', text).execute()
  await db.schema.alterTable('orders').addColumn('payment_mode', text).execute()
}
