import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const settings: Migration = { up }

/** Each save adds a row, so that every earlier version of a section can be restored. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('settings')
    .addColumn('section', text, column => column.notNull())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('value', text, column => column.notNull())
    .addColumn('saved_at', text, column => column.notNull())
    .addColumn('saved_by', text)
    .addColumn('saved_by_name', text, column => column.notNull())
    .addPrimaryKeyConstraint('settings_version', ['section', 'version'])
    .execute()
  await allowAllAuditKinds(db)
}

/** The audit log gets entries of a new kind. SQLite can't change a check, so the table is copied without it. */
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
  await db.schema.createIndex('audit_subject').on('audit').columns(['kind', 'subject_id', 'at']).execute()
  await db.schema.createIndex('audit_at').on('audit').column('at').execute()
}
