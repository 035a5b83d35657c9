import type { Kysely, Migration } from 'kysely'
import { createJsonValues, createPostgresFunction, isOnPostgres, saveTexts } from './022-to-026.ts'

export const textsAndPercents: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  // The percentage of a deal is `percent` + `hundredths` / 100. `hundredths` is negative below 1
  // percent.
  await db.schema
    .alterTable('deals')
    .addColumn('hundredths', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
  if (isOnPostgres(db)) await mendTriggers(db)
}

/**
 * The triggers that earlier versions of 026 created fail on texts that PostgreSQL can't read as
 * JSON.
 */
async function mendTriggers(db: Kysely<unknown>): Promise<void> {
  await createJsonValues(db)
  for (const name of ['orders_text', 'orders_new_text'])
    await createPostgresFunction(db, name, saveTexts(true, 'id = new.id'))
}
