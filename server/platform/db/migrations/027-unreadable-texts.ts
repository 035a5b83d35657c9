import type { Kysely, Migration } from 'kysely'
import { createJsonValues, createPostgresFunction, isOnPostgres, saveTexts } from './022-to-026.ts'

export const unreadableTexts: Migration = { up: saveUnreadableTexts }

/** Until version 027, the triggers of 026 failed on texts that PostgreSQL can't read as JSON. */
async function saveUnreadableTexts(db: Kysely<unknown>): Promise<void> {
  if (!isOnPostgres(db)) return
  await createJsonValues(db)
  for (const name of ['orders_text', 'orders_new_text'])
    await createPostgresFunction(db, name, saveTexts(true, 'id = new.id'))
}
