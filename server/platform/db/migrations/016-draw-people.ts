import type { Kysely, Migration } from 'kysely'
import { columns } from './columns.ts'

export const drawPeople: Migration = { up }

/** A person draws once per deal, also with several accounts. Existing draws belong to their account only. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('draws').addColumn('person', columns(db).text).execute()
  await db.schema.createIndex('draws_person').on('draws').columns(['deal_id', 'person']).unique().execute()
}
