import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SECOND } from '#lib/time.ts'
import { openEmptyDatabase, type Engine } from '../../support/database.ts'
import { prepareDatabase } from '../../support/prepare-database.ts'
import { freePort, removeFolder, temporaryFolder } from '../../support/server.ts'
import { seedShop } from './seed.ts'
import { fastClock } from './fast-clock.ts'
import { startProvider } from './provider.ts'
import { shopServer } from './shop-server.ts'

export type TestEnvironment = Awaited<ReturnType<typeof openEnvironment>>

interface EnvironmentOptions {
  engine: Engine
  shops: number
  /** Each server has a data folder of its own, and all share a folder as object store. */
  ownMachines?: boolean
  extraSettings?: Record<string, string>
  /** Speed of all processes' clocks; 1 is real time. */
  clockRate?: number
}

export async function openEnvironment({
  engine,
  shops,
  ownMachines,
  extraSettings,
  clockRate = 60
}: EnvironmentOptions) {
  const folder = temporaryFolder()
  const clockOptions = clockRate === 1 ? undefined : { since: Date.now(), rate: clockRate }
  const clock = clockOptions ? fastClock(clockOptions) : Date.now
  const store = await openEmptyDatabase(engine, folder)
  await prepareDatabase(store.database)
  const { accounts, admin } = await store.write(trx => seedShop(trx, clock() - SECOND))
  const ports = await Promise.all(Array.from({ length: shops }, freePort))
  const webhookUrl = `http://127.0.0.1:${ports[0]}/api/payments/razorpay-webhook`
  const provider = await startProvider({ folder, webhookUrl, clock })
  // Each buyer sends an address of its own, because all buyers together would exceed the limits of
  // one network.
  const settings = {
    ...{ DATA_DIR: folder, SITE_URL: 'http://localhost:4321', TRUST_PROXY: '1' },
    ...(engine === 'postgres' && { DATABASE_URL: store.url }),
    ...provider.settings
  }
  mkdirSync(join(folder, 'store'))
  const servers = ports.map((port, index) => {
    const machine = ownMachines && {
      DATA_DIR: join(folder, `machine-${index}`),
      STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
      SHOP_SECRET: 'a secret that both machines of the rounds have'
    }
    return shopServer(port, { ...settings, ...machine, ...extraSettings }, clockOptions)
  })
  const [webhookTarget] = servers
  if (!webhookTarget) throw new Error('At least one server is needed')
  return {
    clock,
    accounts,
    admin,
    store,
    provider,
    /** Servers that use the same database. They are not started yet. */
    servers,
    webhookTarget,
    /** Settings for a shop that runs in the test process, with the same database and provider. */
    settings,
    async close() {
      await Promise.all([...servers.map(server => server.kill()), provider.stop()])
      await store.close()
      removeFolder(folder)
    }
  }
}
