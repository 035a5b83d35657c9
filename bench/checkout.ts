import { sql } from 'kysely'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#lib/time.ts'
import { connect } from '#server/platform/db/connect.ts'
import { openEnvironment, type TestEnvironment } from '../tests/faults/rounds/environment.ts'
import { removeFolder, temporaryFolder } from '../tests/support/server.ts'
import type { LoadJob, LoadResult } from './checkout-load.ts'
import { readCpuTime, readTreeMemory, runScript } from './processes.ts'
import { median, quantile, type Bench, type Table } from './table.ts'

const CONCURRENCY = 16
const WARM_UP = 300
const CHECKOUTS = 2000
const WEBHOOKS = 1000
const READS = 3000
const ROUNDS = 3
/**
 * The checkouts are divided between this many accounts, so that none of them reaches its rate
 * limit.
 */
const SHOPPERS = 600

export const checkout: Bench = async () => {
  const folder = temporaryFolder()
  const env = await openEnvironment({ engine: 'sqlite', clockRate: 1, accountCount: SHOPPERS })
  try {
    await env.servers[0]?.start()
    return {
      title: `${CHECKOUTS.toLocaleString('en')} checkouts, ${CONCURRENCY} at a time, SQLite with durable commits`,
      header: ['', 'measured', 'target'],
      rows: [
        ...(await measureCheckouts(env, folder)),
        ...(await measureWebhooks(env, folder)),
        ...(await measureHangingProvider(env, folder))
      ]
    }
  } finally {
    await env.close()
    removeFolder(folder)
  }
}

type TableRows = Table['rows']

async function measureCheckouts(env: TestEnvironment, folder: string): Promise<TableRows> {
  const pid = env.servers[0]?.pid() ?? 0
  const run = (count: number): Promise<LoadResult> =>
    runJob(env, folder, { action: 'buy', count, concurrency: CONCURRENCY })
  await run(WARM_UP)
  await env.provider.waitForWebhooks(10_000)
  const commitRateBefore = await measureCommitRate(env.folder)
  const cpuBefore = readCpuTime(pid)
  const { seconds, latenciesMs } = await run(CHECKOUTS)
  await env.provider.waitForWebhooks(10_000)
  const cpu = readCpuTime(pid) - cpuBefore
  const memory = readTreeMemory(pid)
  const commitRate = median([commitRateBefore, await measureCommitRate(env.folder)])
  const rate = CHECKOUTS / seconds
  return [
    ['checkouts/s', rate.toFixed(0), '≥ 100'],
    ['sequential durable commits/s on this disk', commitRate.toFixed(0), ''],
    ['checkouts/s ÷ commits/s', (rate / commitRate).toFixed(2), ''],
    ['server CPU per order, ms', (cpu / CHECKOUTS).toFixed(2), '≤ 4'],
    ['complete checkout p50, ms', formatQuantile(latenciesMs, 0.5), ''],
    ['complete checkout p99, ms', formatQuantile(latenciesMs, 0.99), ''],
    ['memory, MB', memory.toFixed(0), '']
  ]
}

async function measureWebhooks(env: TestEnvironment, folder: string): Promise<TableRows> {
  // Turns off the provider's own webhooks, so that only the webhooks of the job `sendWebhook` are
  // measured.
  await env.provider.setFaults({ dropWebhook: 1 })
  const job = { action: 'sendWebhook', count: WEBHOOKS, concurrency: CONCURRENCY } as const
  const { latenciesMs } = await runJob(env, folder, job)
  await env.provider.setFaults({})
  return [['webhook p99, ms', formatQuantile(latenciesMs, 0.99), '< 250']]
}

async function measureHangingProvider(env: TestEnvironment, folder: string): Promise<TableRows> {
  const read = (): Promise<LoadResult> =>
    runJob(env, folder, { action: 'readProduct', count: READS, concurrency: 1 })
  const [normal, duringHang]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    normal.push(quantile((await read()).latenciesMs, 0.95))
    await env.provider.setFaults({ hang: 1 })
    const job = { action: 'openPayment', count: CONCURRENCY * 2, concurrency: CONCURRENCY } as const
    const pendingJob = runJob(env, folder, job)
    await wait(1000)
    duringHang.push(quantile((await read()).latenciesMs, 0.95))
    await pendingJob
    await env.provider.setFaults({})
  }
  const [normalP95, hangP95] = [median(normal), median(duringHang)]
  return [
    ['GET /products/{id} p95, ms', normalP95.toFixed(2), ''],
    ['same, while the provider hangs, ms', hangP95.toFixed(2), ''],
    ['difference, %', ((hangP95 / normalP95 - 1) * 100).toFixed(0), '± 10']
  ]
}

export async function runJob(
  env: TestEnvironment,
  folder: string,
  {
    server = 0,
    ...options
  }: Pick<LoadJob, 'action' | 'count' | 'concurrency'> & { server?: number }
): Promise<LoadResult> {
  const { RAZORPAY_API_BASE = '', RAZORPAY_WEBHOOK_SECRET: webhookSecret = '' } = env.settings
  const job: LoadJob = {
    ...options,
    webhookSecret,
    shop: `${env.servers[server]?.url}/api`,
    provider: new URL(RAZORPAY_API_BASE).origin,
    tokens: env.accounts
      .filter((_, index) => index % env.servers.length === server)
      .map(({ token }) => token)
  }
  const file = join(folder, `${options.action}-${server}.json`)
  writeFileSync(file, JSON.stringify(job))
  return JSON.parse(await runScript('bench/checkout-load.ts', file)) as LoadResult
}

function formatQuantile(values: readonly number[], share: number): string {
  return quantile(values, share).toFixed(1)
}

async function measureCommitRate(folder: string): Promise<number> {
  const { kysely, close } = connect({ databaseUrl: join(folder, 'commit-rate.db') })
  await sql`create table if not exists rows (n integer primary key, text text)`.execute(kysely)
  let commits = 0
  const startedAt = performance.now()
  for (; performance.now() < startedAt + 2 * SECOND; commits++) {
    await sql`insert into rows (text) values ('a row')`.execute(kysely)
    if (commits % 100 === 0) await wait(0)
  }
  const rate = commits / ((performance.now() - startedAt) / SECOND)
  await close()
  return rate
}
