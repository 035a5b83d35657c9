import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { join } from 'node:path'
import { SECOND } from '#lib/time.ts'
import { connect } from '#server/platform/db/connect.ts'

export async function measureCommitRate(folder: string, ms = 2 * SECOND): Promise<number> {
  const { kysely, close } = connect({ databaseUrl: join(folder, 'commit-rate.db') })
  await sql`create table if not exists rows (n integer primary key, text text)`.execute(kysely)
  let commits = 0
  const startedAt = performance.now()
  for (; performance.now() < startedAt + ms; commits++) {
    await sql`insert into rows (text) values ('a row')`.execute(kysely)
    if (commits % 100 === 0) await wait(0)
  }
  const rate = commits / ((performance.now() - startedAt) / SECOND)
  await close()
  return rate
}
