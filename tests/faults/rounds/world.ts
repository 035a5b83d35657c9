import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { SECOND } from '#lib/time.ts'
import type { Clock } from '#server/clock.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { createWrite } from '#server/db/write.ts'
import type { Engine } from '../../support/database.ts'
import { administer, databaseUrl, type TestPostgres } from '../../support/postgres-admin.ts'
import { freePort, removeFolder, temporaryFolder } from '../../support/server.ts'
import { stockUp, type Account } from './goods.ts'
import { hastened, type Haste } from './haste.ts'
import { startProvider, type Provider } from './provider.ts'
import { shopSeat, type ShopSeat } from './shop.ts'

/** A shop that nothing has happened to, a provider, and people who may buy; all of it its own. */
export interface World {
  engine: Engine
  /** Where its processes keep what they keep. */
  folder: string
  /** The time of its processes. */
  clock: Clock
  accounts: Account[]
  provider: Provider
  /** Where shops serve, all from the same database; nobody serves yet. */
  seats: ShopSeat[]
  /** The one of them that the provider tells. */
  told: ShopSeat
  /** With which a shop in this process finds the same. */
  settings: Record<string, string>
  /** A connection of its own. */
  open(): Database
  close(): Promise<void>
}

interface WorldOptions {
  engine: Engine
  /** Needed on PostgreSQL. */
  postgres?: TestPostgres | undefined
  /** How many shops serve at the same time. */
  shops?: number
  /** How many minutes go by in one; with 1 every process has the usual clock. */
  rate?: number
  /** How many people may buy. */
  people?: number
  /** What shops load before they start, and the settings for that. */
  before?: { names: readonly string[]; settings: Record<string, string> }
}

const PEOPLE = 200
const RATE = 60

export async function openWorld(options: WorldOptions): Promise<World> {
  const { engine, postgres, shops = 1, rate = RATE, people = PEOPLE, before } = options
  const folder = temporaryFolder()
  const haste: Haste | undefined = rate === 1 ? undefined : { since: Date.now(), rate }
  const clock = haste ? hastened(haste) : Date.now
  const place = await makePlace(engine, folder, postgres)
  const open = (): Database => connect({ databaseUrl: place.url })
  const accounts = await prepare(open(), clock, people)
  const ports: number[] = []
  for (let shop = 0; shop < shops; shop++) ports.push(await freePort())
  const webhookUrl = `http://127.0.0.1:${ports[0]}/api/payments/razorpay-webhook`
  const provider = await startProvider({ folder, port: await freePort(), webhookUrl, ...(haste && { haste }) })
  const own = { DATA_DIR: folder, SITE_URL: 'http://localhost:4321', ...before?.settings }
  const settings = { ...own, ...place.settings, ...provider.settings }
  const seats = ports.map(port => shopSeat(port, settings, { haste, ...(before && { before: before.names }) }))
  const [told] = seats
  if (!told) throw new Error('A world has at least one shop')
  return {
    engine,
    folder,
    clock,
    accounts,
    provider,
    seats,
    told,
    settings,
    open,
    async close() {
      await Promise.all([...seats.map(seat => seat.kill()), provider.stop()])
      await place.remove()
      removeFolder(folder)
    }
  }
}

interface Place {
  url: string
  settings: Record<string, string>
  remove(): Promise<void>
}

async function makePlace(engine: Engine, folder: string, postgres: TestPostgres | undefined): Promise<Place> {
  if (engine === 'sqlite') return { url: join(folder, 'shop.db'), settings: {}, remove: async () => undefined }
  if (!postgres) throw new Error('A PostgreSQL server is needed')
  const name = `faults_${randomUUID().replaceAll('-', '')}`
  await administer(postgres.url, `create database ${name} template ${postgres.template}`)
  const url = databaseUrl(postgres.url, name)
  const remove = (): Promise<void> => administer(postgres.url, `drop database if exists ${name} with (force)`)
  return { url, settings: { DATABASE_URL: url }, remove }
}

async function prepare(database: Database, clock: Clock, people: number): Promise<Account[]> {
  try {
    await migrate(database)
    return await createWrite(database)(trx => stockUp(trx, () => clock() - SECOND, people))
  } finally {
    await database.close()
  }
}
