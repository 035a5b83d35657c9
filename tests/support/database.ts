import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { connect, type Database } from '#server/platform/db/connect.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createWrite, type Write } from '#server/platform/db/write.ts'
import { runStatement, databaseUrl } from './postgres-admin.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

export interface TestDatabase {
  database: Database
  write: Write
  /** `:memory:` for SQLite databases of `openDatabase`. Other processes cannot open these. */
  url: string
  close(): Promise<void>
}

export async function openDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'postgres') return openPostgres(inject('postgres').template)
  return testDatabase(':memory:', async () => undefined)
}

/** Opens a database without tables. Other processes can open it, too. */
export async function openEmptyDatabase(engine: Engine, dataDir?: string): Promise<TestDatabase> {
  if (engine === 'postgres') return openPostgres('template0')
  if (dataDir !== undefined) return testDatabase(join(dataDir, 'shop.db'), async () => undefined)
  const folder = await mkdtemp(join(tmpdir(), 'palagaram-sqlite-'))
  return testDatabase(join(folder, 'shop.db'), () => rm(folder, { recursive: true }))
}

async function openPostgres(template: string): Promise<TestDatabase> {
  const { url } = inject('postgres')
  const name = `shop_${randomUUID().replaceAll('-', '')}`
  await runStatement(url, `create database ${name} template ${template}`)
  return testDatabase(databaseUrl(url, name), () => runStatement(url, `drop database if exists ${name} with (force)`))
}

async function testDatabase(url: string, remove: () => Promise<void>): Promise<TestDatabase> {
  const database = connect({ databaseUrl: url })
  if (url === ':memory:') await migrate(database)
  return {
    database,
    write: createWrite(database),
    url,
    async close() {
      await database.close()
      await remove()
    }
  }
}
