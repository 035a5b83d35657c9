import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10

interface Process {
  pid: number
  parent: number
  /** User and system time so far, of the process and of its ended children, in ms. */
  cpu: number
}

/** Processor time that a process and its descendants have used so far, in ms. */
export function cpuOf(pid: number): number {
  return tree(pid).reduce((sum, { cpu }) => sum + cpu, 0)
}

/** Memory of a process and its descendants that is resident, in MB. */
export function residentOf(pid: number): number {
  return tree(pid).reduce((sum, member) => sum + resident(member.pid), 0)
}

/** The most memory that a descendant was resident with so far, in MB; it is known by a word of its command line. */
export function peakOf(pid: number, word: string): number {
  const found = tree(pid).find(member => textOf(`/proc/${member.pid}/cmdline`)?.includes(word))
  const kilobytes = found && /^VmHWM:\s+(\d+)/m.exec(textOf(`/proc/${found.pid}/status`) ?? '')?.[1]
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
  const stat = textOf(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // A name may hold spaces and brackets: fields are counted from the last bracket, where the third one begins.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
  return { pid, parent: fields[1] ?? 0, cpu: ticks * MS_PER_TICK }
}

function resident(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`) ?? '')?.[1]
  return Number(kilobytes ?? 0) / 1024
}

// A process may end between the listing and the look.
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
