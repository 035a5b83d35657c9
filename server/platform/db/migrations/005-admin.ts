import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const admin: Migration = { up }

const VERSIONED = ['products', 'posts', 'deals'] as const
const MADE_ONCE = ['products', 'posts'] as const
const KINDS = ['product', 'stock', 'deal', 'post', 'user', 'order', 'message', 'publish']

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  for (const table of VERSIONED) {
    await db.schema
      .alterTable(table)
      .addColumn('version', 'bigint', column => column.notNull().defaultTo(1))
      .execute()
  }
  for (const table of MADE_ONCE) {
    await db.schema.alterTable(table).addColumn('creation_key', text).execute()
    await db.schema.createIndex(`${table}_creation_key`).on(table).column('creation_key').unique().execute()
  }
  await db.schema.alterTable('products').addColumn('hidden_at', text).execute()
  for (const column of ['read_at', 'answered_at']) {
    await db.schema.alterTable('contact_messages').addColumn(column, text).execute()
  }
  await db.schema.createIndex('contact_messages_created').on('contact_messages').column('created_at').execute()
  await createAudit(db)
}

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
  await db.schema.createIndex('audit_subject').on('audit').columns(['kind', 'subject_id', 'at']).execute()
  await db.schema.createIndex('audit_at').on('audit').column('at').execute()
}
