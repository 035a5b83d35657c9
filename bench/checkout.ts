import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '../tests/support/server.ts'
import { openWorld, type World } from '../tests/faults/rounds/world.ts'
import { measureCommitRate } from './commit-rate.ts'
import type { LoadJob, LoadResult } from './checkout-load.ts'
import { cpuOf, residentMemoryOf } from './processes.ts'
import { median, type Bench, type Table } from './table.ts'

const CONCURRENCY = 16
const WARM_UP = 300
const CHECKOUTS = 2000
const WEBHOOKS = 1000
const READS = 3000
const ROUNDS = 3
/** Enough to stay below the rate limit per shopper. */
const SHOPPERS = 600

/** Complete checkouts on SQLite with durable commits, with the payment sandbox in its own process. */
export const checkout: Bench = async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'commits')
  const before = { names: ['./bench/count-commits.ts'], settings: { COMMITS_FILE: file } }
  const world = await openWorld({ engine: 'sqlite', rate: 1, people: SHOPPERS, before })
  try {
    await world.seats[0]?.start()
    return {
      title: `${CHECKOUTS.toLocaleString('en')} checkouts, ${CONCURRENCY} at a time, SQLite with durable commits`,
      head: ['', 'measured', 'target'],
      rows: [
        ...(await measureCheckouts(world, folder, file)),
        ...(await measureWebhooks(world, folder)),
        ...(await measureHangingProvider(world, folder))
      ]
    }
  } finally {
    await world.close()
    removeFolder(folder)
  }
}

type TableRows = Table['rows']

async function measureCheckouts(world: World, folder: string, file: string): Promise<TableRows> {
  const pid = world.seats[0]?.pid() ?? 0
  const run = (count: number): Promise<LoadResult> =>
    runJob(world, folder, { action: 'buy', count, concurrency: CONCURRENCY })
  await run(WARM_UP)
  await world.provider.toldAll(10_000)
  const [commitRateBefore, cpuBefore, commitsBefore] = [
    await measureCommitRate(world.folder),
    cpuOf(pid),
    await readCommitCount(pid, file)
  ]
  const { seconds, latencies } = await run(CHECKOUTS)
  await world.provider.toldAll(10_000)
  const [cpu, commits, memory] = [
    cpuOf(pid) - cpuBefore,
    (await readCommitCount(pid, file)) - commitsBefore,
    residentMemoryOf(pid)
  ]
  const commitRate = median([commitRateBefore, await measureCommitRate(world.folder)])
  const rate = CHECKOUTS / seconds
  return [
    ['checkouts/s', rate.toFixed(0), '≥ 100'],
    ['sequential durable commits/s on this disk', commitRate.toFixed(0), ''],
    ['checkouts per sequential commit', (rate / commitRate).toFixed(2), ''],
    ['server CPU per order, ms', (cpu / CHECKOUTS).toFixed(2), '≤ 5'],
    ['commits per order', (commits / CHECKOUTS).toFixed(2), ''],
    ['complete checkout p50, ms', formatQuantile(latencies, 0.5), ''],
    ['complete checkout p99, ms', formatQuantile(latencies, 0.99), ''],
    ['memory, MB', memory.toFixed(0), '']
  ]
}

/** Latency of webhooks about payments that the shop has not seen yet. */
async function measureWebhooks(world: World, folder: string): Promise<TableRows> {
  await world.provider.trouble({ dropWebhook: 1 })
  const { latencies } = await runJob(world, folder, {
    action: 'sendWebhook',
    count: WEBHOOKS,
    concurrency: CONCURRENCY
  })
  await world.provider.trouble({})
  return [['webhook p99, ms', formatQuantile(latencies, 0.99), '< 250']]
}

/** Latency of product reads, normally and while checkouts wait for a provider that hangs. */
async function measureHangingProvider(world: World, folder: string): Promise<TableRows> {
  const read = (): Promise<LoadResult> => runJob(world, folder, { action: 'readProduct', count: READS, concurrency: 1 })
  const [normal, duringHang]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    normal.push(quantile((await read()).latencies, 0.95))
    await world.provider.trouble({ hang: 1 })
    const pendingJob = runJob(world, folder, {
      action: 'openPayment',
      count: CONCURRENCY * 2,
      concurrency: CONCURRENCY
    })
    await wait(1000)
    duringHang.push(quantile((await read()).latencies, 0.95))
    await pendingJob
    await world.provider.trouble({})
  }
  const [normalP95, hangP95] = [median(normal), median(duringHang)]
  return [
    ['GET /products/{id} p95, ms', normalP95.toFixed(2), ''],
    [
      'same, while the provider hangs, ms',
      hangP95.toFixed(2),
      `${((hangP95 / normalP95 - 1) * 100).toFixed(0)} % (± 10)`
    ]
  ]
}

async function runJob(
  world: World,
  folder: string,
  { action, count, concurrency }: Pick<LoadJob, 'action' | 'count' | 'concurrency'>
): Promise<LoadResult> {
  const { RAZORPAY_API_BASE = '', RAZORPAY_WEBHOOK_SECRET: webhookSecret = '' } = world.settings
  const job: LoadJob = {
    ...{ action, count, concurrency, webhookSecret },
    shop: `${world.seats[0]?.url}/api`,
    provider: new URL(RAZORPAY_API_BASE).origin,
    tokens: world.accounts.map(({ token }) => token)
  }
  const file = join(folder, `${action}.json`)
  writeFileSync(file, JSON.stringify(job))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/checkout-load.ts', file])
  return JSON.parse(stdout) as LoadResult
}

async function readCommitCount(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let attempt = 0; attempt < 200; attempt++) {
    await wait(10)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text !== '') return Number(text)
  }
  throw new Error('The server did not write its commit count')
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN
}

function formatQuantile(values: readonly number[], share: number): string {
  return quantile(values, share).toFixed(1)
}
