import { createFirstAdmin } from '#server/accounts/admins.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import { connect } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createWrite } from '#server/platform/db/write.ts'

/**
 * A program that prepares the database as the first start of the shop does. Prints the new
 * administrator or null.
 */
const [databaseUrl = '', adminEmail = ''] = process.argv.slice(2)
const database = connect({ databaseUrl })
await migrate(database)
const deps = {
  database,
  write: createWrite(database),
  clock: Date.now,
  passwords: createPasswords()
}
console.log(
  JSON.stringify((await createFirstAdmin(deps, { adminEmail, adminPassword: undefined })) ?? null)
)
await database.close()
