import { createHash } from 'node:crypto'
import { invalidate } from './source.ts'

type Argument = string | number
type Loader = (...args: readonly Argument[]) => unknown

const LOADERS = new Map<string, Loader>()
/** Cached result hashes, by read. */
let digests = new Map<string, string>()
let tracked: Set<string> | undefined

/**
 * Records each call and its arguments as a dependency of the page being rendered. Calls inside `load` are not recorded.
 * The name must be unique, the result JSON that stays the same until `clearCache`.
 */
export function trackedRead<Args extends readonly Argument[], Value>(
  name: string,
  load: (...args: Args) => Value
): (...args: Args) => Value {
  LOADERS.set(name, load as unknown as Loader)
  return (...args) => {
    tracked?.add(JSON.stringify([name, ...args]))
    return load(...args)
  }
}

/** Returns the reads that `render` made. Only one page may render at a time. */
export async function trackReads<Value>(render: () => Promise<Value>): Promise<{ value: Value; reads: string[] }> {
  if (tracked) throw new Error('Another page is being rendered')
  const reads = new Set<string>()
  tracked = reads
  try {
    return { value: await render(), reads: [...reads] }
  } finally {
    tracked = undefined
  }
}

/** A short hash of the read's current result; a failing read has a fixed one. */
export async function digestOf(read: string): Promise<string> {
  const known = digests.get(read)
  if (known !== undefined) return known
  const [name, ...args] = JSON.parse(read) as [string, ...Argument[]]
  const digest = await runRead(name, args).then(hash, () => 'nothing')
  digests.set(read, digest)
  return digest
}

export function clearCache(): void {
  invalidate()
  digests = new Map()
}

async function runRead(name: string, args: readonly Argument[]): Promise<unknown> {
  const load = LOADERS.get(name)
  if (!load) throw new Error(`No page reads ${name}`)
  return load(...args)
}

function hash(value: unknown): string {
  return createHash('sha1')
    .update(JSON.stringify(value) ?? 'undefined')
    .digest('base64url')
    .slice(0, 12)
}
