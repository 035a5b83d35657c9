import { readdirSync, readFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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
  return listProcessTree(pid).reduce((sum, member) => sum + readMemory(member.pid), 0)
}

/** Returns the peak resident memory, in MB, of the descendant process whose command line contains `text`. */
export function readPeakMemory(pid: number, text: string): number {
  const matchingProcess = listProcessTree(pid).find(member => readText(`/proc/${member.pid}/cmdline`)?.includes(text))
  const kilobytes =
    matchingProcess && /^VmHWM:\s+(\d+)/m.exec(readText(`/proc/${matchingProcess.pid}/status`) ?? '')?.[1]
  return Number(kilobytes ?? 0) / 1024
}

function listProcessTree(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readProcess(Number(name)) ?? [])
  const listDescendants = (parent: number): Process[] =>
    all.filter(process => process.parent === parent).flatMap(process => [process, ...listDescendants(process.pid)])
  return [...all.filter(({ pid }) => pid === root), ...listDescendants(root)]
}

function readProcess(pid: number): Process | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // Field 2, the process name, may contain spaces and brackets. The other fields follow its last bracket.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
  return { pid, parent: fields[1] ?? 0, cpu: ticks * MS_PER_TICK }
}

function readMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1]
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
  const args = ['--import', 'tsx', 'bench/load.ts', JSON.stringify(job)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}

type LoadOptions = Pick<Load, 'url' | 'count'> & Partial<Load>
