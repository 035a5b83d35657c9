import type { Listed, Renderer } from '#lib/renderer.ts'
import { loadManifest, pageFile, type Manifest } from './manifest.ts'
import { loadRecord, type ReadRecord } from './record.ts'

/** A release that another one can share files with. */
export interface Former extends Manifest {
  folder: string
  record: ReadRecord
}

export interface Plan {
  /** Everything that is rendered, by its file. */
  listed: ReadonlyMap<string, Listed>
  /** What must be rendered now: what the former release does not have, or what read something else then. */
  stale: readonly string[]
  /** Rendered files of the former release that are no more. */
  gone: readonly string[]
  /** Whether the former release has exactly the same pages. */
  sameList: boolean
}

/** The release in a folder, when it was made by this code and says what it was made of. */
export async function loadFormer(folder: string, code: string): Promise<Former | undefined> {
  const [manifest, record] = await Promise.all([loadManifest(folder), loadRecord(folder)])
  return manifest && record && manifest.code === code ? { ...manifest, folder, record } : undefined
}

/** What has to be rendered for today's data; everything when there is no release to share with. */
export async function makePlan(renderer: Renderer, former?: Former): Promise<Plan> {
  renderer.forget()
  const listed = new Map((await renderer.list()).map(item => [fileOf(item), item]))
  const names = [...listed.keys()]
  if (!former) return { listed, stale: names, gone: [], sameList: false }
  const { digests, readsOf } = former.record
  const changed = new Set<string>()
  for (const [read, digest] of digests) {
    if ((await renderer.digestOf(read)) !== digest) changed.add(read)
  }
  const isStale = (name: string): boolean => readsOf.get(name)?.some(read => changed.has(read)) ?? true
  const gone = [...readsOf.keys()].filter(name => !listed.has(name))
  const sameList = gone.length === 0 && readsOf.size === listed.size
  return { listed, stale: names.filter(isStale), gone, sameList }
}

function fileOf({ address, kind }: Listed): string {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}
