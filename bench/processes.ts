import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in 1/100 s. */
const MS_PER_TICK = 10

interface Process {
  pid: number
  parent: number
  /** User and system time in ms, exited children included. */
  cpu: number
}

export function cpuOf(pid: number): number {
  return tree(pid).reduce((sum, { cpu }) => sum + cpu, 0)
}

export function residentMemoryOf(pid: number): number {
  return tree(pid).reduce((sum, member) => sum + residentMemory(member.pid), 0)
}

/** Peak resident memory, in MB, of the descendant whose command line contains `word`. */
export function peakMemoryOf(pid: number, word: string): number {
  const found = tree(pid).find(member => readText(`/proc/${member.pid}/cmdline`)?.includes(word))
  const kilobytes = found && /^VmHWM:\s+(\d+)/m.exec(readText(`/proc/${found.pid}/status`) ?? '')?.[1]
  return Number(kilobytes ?? 0) / 1024
}

function tree(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readProcess(Number(name)) ?? [])
  const under = (parent: number): Process[] =>
    all.filter(process => process.parent === parent).flatMap(process => [process, ...under(process.pid)])
  return [...all.filter(({ pid }) => pid === root), ...under(root)]
}

function readProcess(pid: number): Process | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The process name may contain spaces and brackets, so fields are counted from the last bracket (field 3).
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
  return { pid, parent: fields[1] ?? 0, cpu: ticks * MS_PER_TICK }
}

function residentMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1]
  return Number(kilobytes ?? 0) / 1024
}

// A process may exit between listing and reading.
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
