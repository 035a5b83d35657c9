import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SECOND, type Clock } from '#lib/time.ts'
import { connect, type Database } from '#server/platform/db/connect.ts'
import { createWrite } from '#server/platform/db/write.ts'
import type { Engine } from '../../support/database.ts'
import { runStatement, databaseUrl, type TestPostgres } from '../../support/postgres-admin.ts'
import { prepareDatabase } from '../../support/prepare-database.ts'
import { freePort, removeFolder, temporaryFolder } from '../../support/server.ts'
import { seedDeliveryRules, seedShop, type Account } from './seed.ts'
import { fastClock, type FastClock } from './fast-clock.ts'
import { startProvider, type Provider } from './provider.ts'
import { shopServer, type ShopServer } from './shop-server.ts'

export interface TestEnvironment {
  clock: Clock
  accounts: Account[]
  admin: Account
  provider: Provider
  /** Servers that use the same database. They are not started yet. */
  servers: ShopServer[]
  webhookTarget: ShopServer
  /** Settings for a shop that runs in the test process, with the same database and provider. */
  settings: Record<string, string>
  open(): Database
  close(): Promise<void>
}

export interface EnvironmentOptions {
  engine: Engine
  postgres?: TestPostgres | undefined
  shops?: number
  /** Each server has a data folder of its own, and all share a folder as object store. */
  ownMachines?: boolean
  /** Further settings of the servers. */
  extraSettings?: Record<string, string>
  /** Speed of all processes' clocks; 1 is real time. */
  clockRate?: number
}

const CLOCK_RATE = 60

export async function openEnvironment(options: EnvironmentOptions): Promise<TestEnvironment> {
  const { engine, postgres, shops = 1, clockRate = CLOCK_RATE, ownMachines = false } = options
  const folder = temporaryFolder()
  const clockOptions: FastClock | undefined =
    clockRate === 1 ? undefined : { since: Date.now(), rate: clockRate }
  const clock = clockOptions ? fastClock(clockOptions) : Date.now
  const location = await createDatabase(engine, folder, postgres)
  const open = (): Database => connect({ databaseUrl: location.url })
  const { accounts, admin } = await seedDatabase(open(), clock)
  const ports: number[] = []
  for (let shop = 0; shop < shops; shop++) ports.push(await freePort())
  const webhookUrl = `http://127.0.0.1:${ports[0]}/api/payments/razorpay-webhook`
  const provider = await startProvider({
    folder,
    port: await freePort(),
    webhookUrl,
    clock: clockOptions
  })
  // Each buyer sends an address of its own, because all buyers together would exceed the limits of
  // one network.
  const baseSettings = { DATA_DIR: folder, SITE_URL: 'http://localhost:4321', TRUST_PROXY: '1' }
  const settings = { ...baseSettings, ...location.settings, ...provider.settings }
  mkdirSync(join(folder, 'store'))
  const servers = ports.map((port, index) => {
    const machine = ownMachines && {
      DATA_DIR: join(folder, `machine-${index}`),
      STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
      SHOP_SECRET: 'a secret that both machines of the rounds have'
    }
    return shopServer(port, { ...settings, ...machine, ...options.extraSettings }, clockOptions)
  })
  const [webhookTarget] = servers
  if (!webhookTarget) throw new Error('At least one server is needed')
  return {
    clock,
    accounts,
    admin,
    provider,
    servers,
    webhookTarget,
    settings,
    open,
    async close() {
      await Promise.all([...servers.map(server => server.kill()), provider.stop()])
      await location.remove()
      removeFolder(folder)
    }
  }
}

interface TestDatabaseLocation {
  url: string
  settings: Record<string, string>
  remove(): Promise<void>
}

async function createDatabase(
  engine: Engine,
  folder: string,
  postgres: TestPostgres | undefined
): Promise<TestDatabaseLocation> {
  if (engine === 'sqlite')
    return { url: join(folder, 'shop.db'), settings: {}, remove: async () => undefined }
  if (!postgres) throw new Error('A PostgreSQL server is needed')
  const name = `faults_${randomUUID().replaceAll('-', '')}`
  await runStatement(postgres.url, `create database ${name} template ${postgres.template}`)
  const url = databaseUrl(postgres.url, name)
  const remove = (): Promise<void> =>
    runStatement(postgres.url, `drop database if exists ${name} with (force)`)
  return { url, settings: { DATABASE_URL: url }, remove }
}

async function seedDatabase(database: Database, clock: Clock): ReturnType<typeof seedShop> {
  const write = createWrite(database)
  try {
    await prepareDatabase(database)
    await write(trx => seedDeliveryRules(trx, new Date(clock()).toISOString()))
    return await write(trx => seedShop(trx, () => clock() - SECOND))
  } finally {
    await database.close()
  }
}
