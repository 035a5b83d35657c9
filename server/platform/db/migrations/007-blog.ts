import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const blog: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  for (const column of ['hidden_at', 'picture_alt']) {
    await db.schema.alterTable('posts').addColumn(column, text).execute()
  }
}
