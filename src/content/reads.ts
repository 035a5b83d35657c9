import { createHash } from 'node:crypto'
import { renew } from './source.ts'

type Argument = string | number
type Load = (...args: readonly Argument[]) => unknown

const LOADS = new Map<string, Load>()
/** Of the data that is known now, by read. */
let digests = new Map<string, string>()
let noted: Set<string> | undefined

/**
 * A function by which pages read: while a page renders it is noted that the page read this, with these arguments. What
 * the function itself reads is not noted, so that a page depends on no more than the function answers. The name is
 * unique; the answer is made of data alone and stays the same until `forget`.
 */
export function read<Args extends readonly Argument[], Value>(
  name: string,
  load: (...args: Args) => Value
): (...args: Args) => Value {
  LOADS.set(name, load as unknown as Load)
  return (...args) => {
    noted?.add(JSON.stringify([name, ...args]))
    return load(...args)
  }
}

/** What `render` read. One page renders at a time: whatever is read meanwhile is its own. */
export async function notingReads<Value>(render: () => Promise<Value>): Promise<{ value: Value; reads: string[] }> {
  if (noted) throw new Error('Another page is being rendered')
  const reads = new Set<string>()
  noted = reads
  try {
    return { value: await render(), reads: [...reads] }
  } finally {
    noted = undefined
  }
}

/** A short hash of what a noted read answers today, the same for the same answer; of what is no longer there as well. */
export async function digestOf(read: string): Promise<string> {
  const known = digests.get(read)
  if (known !== undefined) return known
  const [name, ...args] = JSON.parse(read) as [string, ...Argument[]]
  const digest = await answer(name, args).then(hash, () => 'nothing')
  digests.set(read, digest)
  return digest
}

/** Everything is read anew from here on. */
export function forget(): void {
  renew()
  digests = new Map()
}

async function answer(name: string, args: readonly Argument[]): Promise<unknown> {
  const load = LOADS.get(name)
  if (!load) throw new Error(`No page reads ${name}`)
  return load(...args)
}

function hash(value: unknown): string {
  return createHash('sha1')
    .update(JSON.stringify(value) ?? 'undefined')
    .digest('base64url')
    .slice(0, 12)
}
