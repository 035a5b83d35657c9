import { execFile, execSync, spawn } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { chromium, type Browser } from 'playwright'
import {
  removeFolder,
  startShop,
  temporaryFolder,
  type RunningShop,
  type ShopOptions
} from '../tests/support/server.ts'
import type { Job, Result } from './load.ts'

/** Figures by name. Each benchmark measures the project in the folder `root`. */
export type Figures = Record<string, number>

const ADMIN = { ADMIN_EMAIL: 'meena@shop.example', ADMIN_PASSWORD: 'payasam-12-bowls' }
/** Linux counts CPU time in 1/100 s. */
const MS_PER_TICK = 10

const templates = new Map<string, string>()

export function removeTemplates(): void {
  for (const folder of templates.values()) removeFolder(folder)
}

/** Copies the data of a first start, which encodes the pictures and publishes. */
async function copyTemplate(root: string): Promise<string> {
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
      .reduce((sum, { cpuMs, megabytes }) => {
        return { cpuMs: sum.cpuMs + cpuMs, megabytes: sum.megabytes + megabytes }
      }, own)
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

/** Starts a program and waits until it has printed the pattern. */
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

export async function logInAsAdmin(url: string): Promise<{ token: string; user: object }> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD })
  const reply = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`Login failed with status ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as { token: string; user: object }
}

export function openBrowser(): Promise<Browser> {
  const names = '"$CHROMIUM_PATH" chromium-headless-shell chromium google-chrome'
  const found = execSync(`which ${names} | head -1`, { encoding: 'utf8' }).trim()
  return chromium.launch({ ...(found && { executablePath: found }), args: ['--no-sandbox'] })
}

export function quantile(values: readonly number[], share = 0.5): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN
}
