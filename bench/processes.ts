import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Session } from '#lib/contract/accounts.ts'
import type { Product } from '#lib/contract/catalog.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'
import type { Load } from './load.ts'

/** Linux counts CPU time in 1/100 s. */
const MS_PER_TICK = 10

interface Process {
  pid: number
  parent: number
  /** CPU time (user and system) in ms, including the time of exited child processes. */
  cpu: number
}

export function readCpuTime(pid: number): number {
  return listProcessTree(pid).reduce((sum, { cpu }) => sum + cpu, 0)
}

export function readTreeMemory(pid: number): number {
  return listProcessTree(pid).reduce((sum, member) => sum + readMemory(member.pid, 'VmRSS'), 0)
}

/**
 * Returns the peak resident memory, in MB, of the descendant process whose command line contains
 * `text`.
 */
export function readPeakMemory(pid: number, text: string): number {
  const found = listProcessTree(pid).find(member =>
    readText(`/proc/${member.pid}/cmdline`)?.includes(text)
  )
  return found ? readMemory(found.pid, 'VmHWM') : 0
}

function listProcessTree(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readProcess(Number(name)) ?? [])
  const listDescendants = (parent: number): Process[] =>
    all
      .filter(process => process.parent === parent)
      .flatMap(process => [process, ...listDescendants(process.pid)])
  return [...all.filter(({ pid }) => pid === root), ...listDescendants(root)]
}

export function readParent(pid: number): number {
  return readProcess(pid)?.parent ?? 0
}

function readProcess(pid: number): Process | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // Field 2, the process name, may contain spaces and brackets. The other fields follow its last
  // bracket.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
  return { pid, parent: fields[1] ?? 0, cpu: ticks * MS_PER_TICK }
}

function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(
    readText(`/proc/${pid}/status`) ?? ''
  )?.[1]
  return Number(kilobytes ?? 0) / 1024
}

// Returns undefined if the process has exited since it was listed.
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

export async function runLoad({
  connections = 16,
  expectedStatus = 200,
  headers = {},
  ...load
}: LoadOptions): Promise<number> {
  const job: Load = { ...load, connections, expectedStatus, headers }
  return Number(await runScript('bench/load.ts', JSON.stringify(job)))
}

export async function runScript(file: string, argument: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    file,
    argument
  ])
  return stdout
}

export async function logIn(url: string, email: string, password: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password })
  const reply = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`Login failed with status ${reply.status}: ${await reply.text()}`)
  return ((await reply.json()) as Session).token
}

export async function findSampleContent(
  url: string
): Promise<{ id: string; product: string; post: string; image: string }> {
  const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
  const posts = (await (await fetch(`${url}/api/blog`)).json()) as BlogPost[]
  const product = products.find(({ stock }) => stock > 0)
  const [post] = posts
  if (!product || !post) throw new Error('The benchmark needs a product in stock and a blog post')
  return {
    id: product._id,
    product: paths.product(product._id),
    post: paths.blog(post._id),
    image: product.image
  }
}

type LoadOptions = Pick<Load, 'url' | 'count'> & Partial<Load>
