import { sql } from 'kysely'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '#server/platform/db/connect.ts'
import { openEnvironment, type TestEnvironment } from '../tests/faults/rounds/environment.ts'
import type { Engine } from '../tests/support/database.ts'
import type { TestPostgres } from '../tests/support/postgres-admin.ts'
import { openTestPostgres } from '../tests/support/postgres.ts'
import { runJob } from './checkout.ts'
import { readCpuTime, readParent, readPeakMemory, runLoad } from './processes.ts'
import { addOrders, addProducts } from './scale-data.ts'
import { median, quantile, type Bench } from './table.ts'

const SMALL = 10_000
const LARGE = 100_000
const PRODUCTS = 10_000
const CHECKOUTS = 300
/** This many buyers keep two cores busy. */
const BUYERS = 16
const FEW_BUYERS = 4
const ROUNDS = 3
const CALLS = 10
const NOT_MODIFIED = 5000
const SHOPPERS = 600

const PAGES = {
  'order list': '/admin/orders',
  'order list, page 3,000': '/admin/orders?page=3000',
  'paid, page 2,000': '/admin/orders?status=paid&page=2000',
  pending: '/admin/orders?status=pending',
  delivered: '/admin/orders?status=delivered',
  cancelled: '/admin/orders?status=cancelled',
  unpaid: '/admin/orders?status=unpaid',
  'due until a day': '/admin/orders?until=2026-06-01',
  'search for a number': '/admin/orders?q=PG-000ABC',
  'search for a name': '/admin/orders?q=priya%20raman',
  'search for a phone number': '/admin/orders?q=9000000707',
  'search for an email address': '/admin/orders?q=priya.raman700@example.com',
  dashboard: '/admin/dashboard',
  'kitchen day': '/admin/orders/day',
  'kitchen month': '/admin/kitchen/bookings?month=2026-11',
  users: '/admin/users',
  'audit log of coupons': '/admin/audit?kind=coupon',
  'My orders': '/orders/my-orders'
}

type Rows = (string | number)[][]

/** CPU time includes that of PostgreSQL. */
export const scale: Bench = async () => {
  const { postgres, stop } = await openTestPostgres()
  try {
    return {
      title: `${LARGE.toLocaleString('en')} orders in the database, CPU time of shop and database`,
      header: ['', 'measured', 'target'],
      rows: [
        ...(await measureEngine('sqlite', undefined)),
        ...(await measureEngine('postgres', postgres)),
        ...(await measureNodes(postgres))
      ]
    }
  } finally {
    await stop()
  }
}

async function measureEngine(engine: Engine, postgres: TestPostgres | undefined): Promise<Rows> {
  const options = { engine, postgres, clockRate: 1, accountCount: SHOPPERS }
  const [empty, full] = [await openEnvironment(options), await openEnvironment(options)]
  try {
    const database = full.open()
    await addOrders(database, 0, SMALL)
    const backups = [await measureBackup(full)]
    await addOrders(database, SMALL, LARGE)
    backups.push(await measureBackup(full))
    await database.close()
    for (const { servers } of [empty, full]) await servers[0]?.start()
    const [ratio, emptyMs, fullMs] = await compare(
      () => buy(empty),
      () => buy(full)
    )
    const rows: Rows = [
      ['checkout, CPU ms, empty database', emptyMs.toFixed(2), ''],
      [`the same, full database`, `${fullMs.toFixed(2)} (× ${ratio.toFixed(2)})`, '≤ × 1.2'],
      ...backups.map(({ seconds, memory }, index) => [
        `backup of ${[SMALL, LARGE][index]} orders`,
        `${seconds.toFixed(0)} s, ${memory.toFixed(0)} MB`,
        '≤ 60 s'
      ])
    ]
    for (const [name, path] of Object.entries(PAGES))
      rows.push([name, ...(await measurePage(full, path))])
    rows.push([
      '304 for GET /products with 10,000 products, CPU ms',
      await measureNotModified(full),
      '≤ 0.2'
    ])
    return rows.map(([name, ...cells]) => [`${engine}: ${name}`, ...cells])
  } finally {
    await empty.close()
    await full.close()
  }
}

/** Runs both alternately. Returns the median of the ratios, and the medians of both. */
async function compare(
  first: () => Promise<number>,
  second: () => Promise<number>
): Promise<[number, number, number]> {
  const rounds: [number, number][] = []
  for (let round = 0; round <= ROUNDS; round++) rounds.push([await first(), await second()])
  // The first round warms up.
  rounds.shift()
  return [
    median(rounds.map(([a, b]) => b / a)),
    median(rounds.map(([a]) => a)),
    median(rounds.map(([, b]) => b))
  ]
}

/** Returns the CPU ms for each checkout. Several servers share the checkouts. */
async function buy(env: TestEnvironment, servers = [0], buyers = BUYERS): Promise<number> {
  const before = await readCpu(env, servers)
  const job = {
    action: 'buy',
    count: CHECKOUTS / servers.length,
    concurrency: buyers / servers.length
  } as const
  await Promise.all(servers.map(server => runJob(env, env.folder, { ...job, server })))
  await env.provider.waitForWebhooks(10_000)
  return ((await readCpu(env, servers)) - before) / CHECKOUTS
}

async function readCpu(env: TestEnvironment, servers = [0]): Promise<number> {
  const shops = servers.reduce(
    (sum, server) => sum + readCpuTime(env.servers[server]?.pid() ?? 0),
    0
  )
  return shops + (env.engine === 'postgres' ? readCpuTime(await findPostgres(env)) : 0)
}

async function findPostgres(env: TestEnvironment): Promise<number> {
  const { kysely, close } = env.open()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(kysely)
  const parent = readParent(rows[0]?.pid ?? 0)
  await close()
  return parent
}

async function measurePage(env: TestEnvironment, path: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${env.admin.token}` }
  const times: number[] = []
  const load = async (): Promise<void> => {
    const start = performance.now()
    const reply = await fetch(`${env.servers[0]?.url}/api${path}`, { headers })
    if (!reply.ok) throw new Error(`${path} replied with status ${reply.status}`)
    await reply.arrayBuffer()
    times.push(performance.now() - start)
  }
  await load()
  await load()
  const before = await readCpu(env)
  for (let call = 0; call < CALLS; call++) await load()
  const cpu = ((await readCpu(env)) - before) / CALLS
  return [`${cpu.toFixed(0)} ms of CPU, ${median(times).toFixed(0)} ms`, '≤ 50']
}

async function measureBackup({
  settings,
  folder
}: TestEnvironment): Promise<{ seconds: number; memory: number }> {
  const start = performance.now()
  const script = 'server/commands/backup.ts'
  const env = { ...process.env, ...settings, DATA_DIR: folder }
  const child = spawn(process.execPath, ['--import', 'tsx', script, `${folder}/backups-${start}`], {
    env,
    stdio: 'ignore'
  })
  const exit = once(child, 'exit')
  let memory = 0
  while (child.exitCode === null) {
    memory = Math.max(memory, readPeakMemory(process.pid, script))
    await wait(20)
  }
  await exit
  if (child.exitCode !== 0) throw new Error('The backup failed')
  return { seconds: (performance.now() - start) / 1000, memory }
}

async function measureNotModified(env: TestEnvironment): Promise<string> {
  const database = env.open()
  await addProducts(database, PRODUCTS)
  await database.close()
  const [server] = env.servers
  const url = `${server?.url}/api/products`
  const etag =
    (await fetch(url, { headers: { 'accept-encoding': 'br' } })).headers.get('etag') ?? ''
  const request = {
    url,
    expectedStatus: 304,
    headers: { 'accept-encoding': 'br', 'if-none-match': etag }
  }
  await runLoad({ ...request, count: NOT_MODIFIED })
  const before = readCpuTime(server?.pid() ?? 0)
  await runLoad({ ...request, count: NOT_MODIFIED })
  return ((readCpuTime(server?.pid() ?? 0) - before) / NOT_MODIFIED).toFixed(2)
}

async function measureNodes(postgres: TestPostgres): Promise<Rows> {
  const env = await openEnvironment({
    engine: 'postgres',
    postgres,
    shops: 2,
    clockRate: 1,
    accountCount: SHOPPERS
  })
  try {
    for (const server of env.servers) await server.start()
    // In the rounds, the second node gets a third of the first one's checkouts, and would still
    // compile its code.
    await buy(env, [1])
    await buy(env, [1])
    const [ratio, one, two] = await compare(
      () => buy(env),
      () => buy(env, [0, 1])
    )
    const measureWaits = async (buyers: number): Promise<string> => {
      const waits = await sampleLockWaits(env, buy(env, [0, 1], buyers))
      return quantile(waits, 0.99).toFixed(0)
    }
    return [
      ['one node: checkout, CPU ms', one.toFixed(2), ''],
      ['two nodes: the same', `${two.toFixed(2)} (× ${ratio.toFixed(2)})`, '≤ × 1.15'],
      [
        `two nodes: p99 of the lock waits of ${BUYERS} buyers, ms`,
        await measureWaits(BUYERS),
        '≤ 20'
      ],
      [`two nodes: the same with ${FEW_BUYERS} buyers`, await measureWaits(FEW_BUYERS), '']
    ]
  } finally {
    await env.close()
  }
}

/**
 * Returns the longest observed wait of each statement that waited for a lock, and 0 for each other
 * checkout.
 */
async function sampleLockWaits(env: TestEnvironment, work: Promise<unknown>): Promise<number[]> {
  const { kysely, close } = connect({ databaseUrl: env.settings['DATABASE_URL'] ?? '' })
  const waits = new Map<string, number>()
  let isDone = false
  void work.finally(() => (isDone = true)).catch(() => undefined)
  while (!isDone) {
    const { rows } = await sql<{ id: string; ms: number }>`
      select concat(pid, ' ', waitstart) as id, extract(epoch from clock_timestamp() - waitstart)::float8 * 1000 as ms
      from pg_locks where not granted and waitstart is not null`.execute(kysely)
    for (const { id, ms } of rows) waits.set(id, Math.max(ms, waits.get(id) ?? 0))
    // Reading the locks more often makes them wait longer.
    await wait(5)
  }
  await work
  await close()
  return [
    ...waits.values(),
    ...Array.from({ length: Math.max(0, CHECKOUTS - waits.size) }, () => 0)
  ]
}
