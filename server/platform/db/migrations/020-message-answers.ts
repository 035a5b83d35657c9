import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const messageAnswers: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
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
