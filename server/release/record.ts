import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const RECORD = 'reads.json'

/** What the files of a release were made of. */
export interface ReadRecord {
  /** What each read answered, as a short hash. */
  digests: ReadonlyMap<string, string>
  /** What was read for each rendered file, by its path in the release. */
  readsOf: ReadonlyMap<string, readonly string[]>
}

/** As it is kept: reads are named once and then by their number. */
interface Kept {
  reads: [read: string, digest: string][]
  files: [name: string, reads: number[]][]
}

/** The file beside the manifest that keeps it; it is not served. */
export function recordFile(folder: string): string {
  return join(folder, RECORD)
}

/** Undefined for a release without one. */
export async function loadRecord(folder: string): Promise<ReadRecord | undefined> {
  try {
    const { reads, files } = JSON.parse(await readFile(recordFile(folder), 'utf8')) as Kept
    const readsOf = files.map(([name, numbers]) => [name, numbers.map(number => reads[number]?.[0] ?? '')] as const)
    return { digests: new Map(reads), readsOf: new Map(readsOf) }
  } catch {
    return undefined
  }
}

export function recordText({ digests, readsOf }: ReadRecord): string {
  const reads = [...digests]
  const numbers = new Map(reads.map(([read], number) => [read, number]))
  const files = [...readsOf].map(([name, list]) => [name, list.map(read => numbers.get(read) ?? -1)])
  return JSON.stringify({ reads, files })
}
