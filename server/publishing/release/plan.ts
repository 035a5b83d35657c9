import type { SiteAddress, Renderer } from '#lib/renderer.ts'
import { loadManifest, pageFile, type Manifest } from './manifest.ts'
import { loadRecord, type ReadRecord } from './record.ts'

export interface PreviousRelease extends Manifest {
  folder: string
  record: ReadRecord
}

export interface Plan {
  addresses: ReadonlyMap<string, SiteAddress>
  stale: readonly string[]
  removed: readonly string[]
  hasSamePages: boolean
}

export async function loadPreviousRelease(folder: string, code: string): Promise<PreviousRelease | undefined> {
  const [manifest, record] = await Promise.all([loadManifest(folder), loadRecord(folder)])
  return manifest && record && manifest.code === code ? { ...manifest, folder, record } : undefined
}

export async function makePlan(renderer: Renderer, previous?: PreviousRelease): Promise<Plan> {
  renderer.clearCache()
  const addresses = new Map((await renderer.list()).map(item => [toFileName(item), item]))
  const names = [...addresses.keys()]
  if (!previous) return { addresses, stale: names, removed: [], hasSamePages: false }
  const { digests, readsByFile } = previous.record
  const changed = new Set<string>()
  for (const [read, digest] of digests) {
    if ((await renderer.digestOf(read)) !== digest) changed.add(read)
  }
  const isStale = (name: string): boolean => readsByFile.get(name)?.some(read => changed.has(read)) ?? true
  const removed = [...readsByFile.keys()].filter(name => !addresses.has(name))
  const hasSamePages = removed.length === 0 && readsByFile.size === addresses.size
  return { addresses, stale: names.filter(isStale), removed, hasSamePages }
}

function toFileName({ address, kind }: SiteAddress): string {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}
