import type { SiteAddress, Renderer } from '#lib/renderer.ts'
import { loadManifest, pageFile, type Manifest } from './manifest.ts'
import { loadRecord, type ReadRecord } from './record.ts'

export interface PreviousRelease extends Manifest {
  folder: string
  record: ReadRecord
}

export interface Plan {
  listed: ReadonlyMap<string, SiteAddress>
  stale: readonly string[]
  removed: readonly string[]
  samePages: boolean
}

export async function loadPreviousRelease(folder: string, code: string): Promise<PreviousRelease | undefined> {
  const [manifest, record] = await Promise.all([loadManifest(folder), loadRecord(folder)])
  return manifest && record && manifest.code === code ? { ...manifest, folder, record } : undefined
}

export async function makePlan(renderer: Renderer, previous?: PreviousRelease): Promise<Plan> {
  renderer.clearCache()
  const listed = new Map((await renderer.list()).map(item => [fileOf(item), item]))
  const names = [...listed.keys()]
  if (!previous) return { listed, stale: names, removed: [], samePages: false }
  const { digests, readsOf } = previous.record
  const changed = new Set<string>()
  for (const [read, digest] of digests) {
    if ((await renderer.digestOf(read)) !== digest) changed.add(read)
  }
  const isStale = (name: string): boolean => readsOf.get(name)?.some(read => changed.has(read)) ?? true
  const removed = [...readsOf.keys()].filter(name => !listed.has(name))
  const samePages = removed.length === 0 && readsOf.size === listed.size
  return { listed, stale: names.filter(isStale), removed, samePages }
}

function fileOf({ address, kind }: SiteAddress): string {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}
