import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '../tests/support/server.ts'
import { openWorld, type World } from '../tests/faults/rounds/world.ts'
import { bareCommits } from './bare-commits.ts'
import type { Errand, Took } from './buy.ts'
import { cpuOf, residentOf } from './processes.ts'
import { median, type Bench, type Table } from './table.ts'

const AT_ONCE = 16
const WARM_UP = 300
const CHECKOUTS = 2000
const WEBHOOKS = 1000
const READS = 3000
const TURNS = 3
/** So many that nobody comes near what one may open in a minute. */
const PEOPLE = 600

/** Whole checkouts on SQLite with durable commits, the payment provider's emulator as a process of its own. */
export const checkout: Bench = async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'commits')
  const before = { names: ['./bench/commits.ts'], settings: { COMMITS_FILE: file } }
  const world = await openWorld({ engine: 'sqlite', rate: 1, people: PEOPLE, before })
  try {
    await world.seats[0]?.start()
    return {
      title: `Checkouts: ${CHECKOUTS.toLocaleString('en')}, ${AT_ONCE} at once, SQLite with durable commits`,
      head: ['what', 'measured', 'bar'],
      rows: [
        ...(await buying(world, folder, file)),
        ...(await telling(world, folder)),
        ...(await hanging(world, folder))
      ]
    }
  } finally {
    await world.close()
    removeFolder(folder)
  }
}

type Rows = Table['rows']

async function buying(world: World, folder: string, file: string): Promise<Rows> {
  const pid = world.seats[0]?.pid() ?? 0
  const run = (count: number): Promise<Took> => send(world, folder, { what: 'buy', count, atOnce: AT_ONCE })
  await run(WARM_UP)
  await world.provider.toldAll(10_000)
  const [bareBefore, cpuBefore, commitsBefore] = [
    await bareCommits(world.folder),
    cpuOf(pid),
    await commitsOf(pid, file)
  ]
  const { seconds, each } = await run(CHECKOUTS)
  await world.provider.toldAll(10_000)
  const [cpu, commits, memory] = [cpuOf(pid) - cpuBefore, (await commitsOf(pid, file)) - commitsBefore, residentOf(pid)]
  const bare = median([bareBefore, await bareCommits(world.folder)])
  const rate = CHECKOUTS / seconds
  return [
    ['checkouts a second', rate.toFixed(0), '≥ 100'],
    ['bare durable commits a second, one after another', bare.toFixed(0), ''],
    ['checkouts per bare commit', (rate / bare).toFixed(2), ''],
    ['CPU ms of the server per order', (cpu / CHECKOUTS).toFixed(2), '≤ 5'],
    ['commits per order', (commits / CHECKOUTS).toFixed(2), ''],
    ['whole checkout p50, ms', quantile(each, 0.5), ''],
    ['whole checkout p99, ms', quantile(each, 0.99), ''],
    ['memory, MB', memory.toFixed(0), '']
  ]
}

/** How quickly webhooks are answered that bring news, while what they tell is looked into. */
async function telling(world: World, folder: string): Promise<Rows> {
  await world.provider.trouble({ dropWebhook: 1 })
  const { each } = await send(world, folder, { what: 'tell', count: WEBHOOKS, atOnce: AT_ONCE })
  await world.provider.trouble({})
  return [['webhook answered p99, ms', quantile(each, 0.99), '< 250']]
}

/** How quickly others are answered while checkouts wait for a provider that hangs, and while there are none. */
async function hanging(world: World, folder: string): Promise<Rows> {
  const read = (): Promise<Took> => send(world, folder, { what: 'read', count: READS, atOnce: 1 })
  const [quiet, meanwhile]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    quiet.push(at((await read()).each, 0.95))
    await world.provider.trouble({ hang: 1 })
    const stuck = send(world, folder, { what: 'open', count: AT_ONCE * 2, atOnce: AT_ONCE })
    await wait(1000)
    meanwhile.push(at((await read()).each, 0.95))
    await stuck
    await world.provider.trouble({})
  }
  const [usual, slowed] = [median(quiet), median(meanwhile)]
  return [
    ['GET /products/{id} p95, ms', usual.toFixed(2), ''],
    ['the same while the provider hangs, ms', slowed.toFixed(2), `${((slowed / usual - 1) * 100).toFixed(0)} % (± 10)`]
  ]
}

async function send(
  world: World,
  folder: string,
  { what, count, atOnce }: Pick<Errand, 'what' | 'count' | 'atOnce'>
): Promise<Took> {
  const { RAZORPAY_API_BASE = '', RAZORPAY_WEBHOOK_SECRET: webhookSecret = '' } = world.settings
  const errand: Errand = {
    ...{ what, count, atOnce, webhookSecret },
    shop: `${world.seats[0]?.url}/api`,
    provider: new URL(RAZORPAY_API_BASE).origin,
    tokens: world.accounts.map(({ token }) => token)
  }
  const file = join(folder, `${what}.json`)
  writeFileSync(file, JSON.stringify(errand))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/buy.ts', file])
  return JSON.parse(stdout) as Took
}

async function commitsOf(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let attempt = 0; attempt < 200; attempt++) {
    await wait(10)
    const said = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (said !== '') return Number(said)
  }
  throw new Error('The shop does not say how many commits it made')
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN
}

function quantile(values: readonly number[], share: number): string {
  return at(values, share).toFixed(1)
}
