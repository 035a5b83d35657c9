import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const RECORD = 'reads.json'

/** Lists the API reads that each file depends on, and a digest of the result of each read. */
export interface ReadRecord {
  digests: ReadonlyMap<string, string>
  readsByFile: ReadonlyMap<string, readonly string[]>
}

interface StoredRecord {
  reads: [read: string, digest: string][]
  files: [name: string, reads: number[]][]
}

export function recordFile(folder: string): string {
  return join(folder, RECORD)
}

export async function loadRecord(folder: string): Promise<ReadRecord | undefined> {
  try {
    const { reads, files } = JSON.parse(await readFile(recordFile(folder), 'utf8')) as StoredRecord
    const readsByFile = files.map(([name, numbers]) => [name, numbers.map(number => reads[number]?.[0] ?? '')] as const)
    return { digests: new Map(reads), readsByFile: new Map(readsByFile) }
  } catch {
    return undefined
  }
}

export function formatRecord({ digests, readsByFile }: ReadRecord): string {
  const reads = [...digests]
  const numbers = new Map(reads.map(([read], number) => [read, number]))
  const files = [...readsByFile].map(([name, list]) => [name, list.map(read => numbers.get(read) ?? -1)])
  return JSON.stringify({ reads, files })
}
