import Database from 'better-sqlite3'
import { execFile, execSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type Page
} from 'playwright'
import { DAY } from '#lib/time.ts'
import {
  removeFolder,
  startShop,
  temporaryFolder,
  type RunningShop,
  type ShopOptions
} from '../tests/support/server.ts'
import type { Job, Result } from './load.ts'

export type Figures = Record<string, number>

const ADMIN = { ADMIN_EMAIL: 'meena@shop.example', ADMIN_PASSWORD: 'payasam-12-bowls' }
/** Linux counts CPU time in 1/100 s. */
const MS_PER_TICK = 10

const templates = new Map<string, string>()

export function removeTemplates(): void {
  for (const folder of templates.values()) removeFolder(folder)
}

/** Copies the data of a first start, which encodes the pictures and publishes. */
async function copyTemplate(root: string) {
  const template = templates.get(root) ?? temporaryFolder()
  if (!templates.has(root)) {
    templates.set(root, template)
    await (await startShop({ root, dataDir: template, env: ADMIN })).stop()
  }
  const dataDir = temporaryFolder()
  cpSync(template, dataDir, { recursive: true })
  return dataDir
}

interface Options extends Pick<ShopOptions, 'args' | 'env' | 'port'> {
  prepare?: (dataDir: string) => void
}

export async function withShop<T>(
  root: string,
  { prepare, env, ...options }: Options,
  use: (shop: RunningShop) => Promise<T>
): Promise<T> {
  const dataDir = await copyTemplate(root)
  let shop: RunningShop | undefined
  try {
    prepare?.(dataDir)
    shop = await startShop({ root, dataDir, env: { ...ADMIN, ...env }, ...options })
    return await use(shop)
  } finally {
    await shop?.stop()
    removeFolder(dataDir)
  }
}

/** CPU time and resident memory of the process and its children, also of those that have exited. */
export function readUsage(pid: number): { cpuMs: number; megabytes: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the last bracket may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
    const own = { cpuMs: ticks * MS_PER_TICK, megabytes: kilobytes / 1024 }
    return children
      .map(child => readUsage(Number(child)))
      .reduce((a, b) => ({ cpuMs: a.cpuMs + b.cpuMs, megabytes: a.megabytes + b.megabytes }), own)
  } catch {
    return { cpuMs: 0, megabytes: 0 }
  }
}

/** Runs in a process of its own, so that its CPU time does not count as the server's. */
export async function runLoad(job: Job): Promise<Result> {
  const running = promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/load.ts'])
  running.child.stdin?.end(JSON.stringify(job))
  const { stdout } = await running
  return JSON.parse(stdout) as Result
}

export async function startProgram(
  args: readonly string[],
  pattern: RegExp
): Promise<{ pid: number; output: string; stop(): void }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    if (pattern.test(output)) break
  }
  return { pid: child.pid ?? 0, output, stop: () => void child.kill() }
}

export async function call<Answer>(
  url: string,
  path: string,
  { token = '', method = 'GET', body }: { token?: string; method?: string; body?: object } = {}
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body && { body: JSON.stringify(body) }
  const reply = await fetch(`${url}/api${path}`, { method, headers, ...sent })
  if (!reply.ok) throw new Error(`${path} replied with ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as Answer
}

export function logIn(url: string): Promise<{ token: string; user: object }> {
  const body = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }
  return call(url, '/auth/login', { method: 'POST', body })
}

export async function withBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const names = '"$CHROMIUM_PATH" chromium-headless-shell chromium google-chrome'
  const found = execSync(`which ${names} | head -1`, { encoding: 'utf8' }).trim()
  const args = ['--no-sandbox']
  const browser = await chromium.launch({ ...(found && { executablePath: found }), args })
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

export async function openSlowPage(
  browser: Browser,
  options: BrowserContextOptions = {}
): Promise<{ page: Page; devtools: CDPSession }> {
  const page = await browser.newPage(options)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return { page, devtools }
}

export function quantile(values: readonly number[], share = 0.5): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN
}

/** Adds accounts with a session, because registrations are limited, and returns the tokens. */
export function addBuyers(dataDir: string, count: number): string[] {
  const database = new Database(join(dataDir, 'shop.db'))
  const [now, end] = [0, DAY].map(ms => new Date(Date.now() + ms).toISOString())
  const user = database.prepare(`insert into users (id, email, name, phone, verified_at, created_at)
    values (:token, :token || '@example.com', 'Anita', '', :now, :now)`)
  const session = database.prepare(`insert into sessions
    (token_hash, user_id, created_at, expires_at, renewed_at)
    values (:hash, :token, :now, :end, :now)`)
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  database.transaction(() => {
    database.prepare('update products set stock = 1000000').run()
    for (const token of tokens) {
      user.run({ token, now })
      const hash = createHash('sha256').update(token).digest('hex')
      session.run({ token, hash, now, end })
    }
  })()
  database.close()
  return tokens
}
