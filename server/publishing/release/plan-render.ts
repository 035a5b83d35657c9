import type { Renderer, SiteAddress } from '#lib/renderer.ts'
import { pageFile, type PreviousRelease } from './manifest.ts'

export interface RenderPlan {
  addresses: ReadonlyMap<string, SiteAddress>
  stale: readonly string[]
  removed: readonly string[]
  hasSamePages: boolean
}

/** Without `base`, all pages are rendered. */
export async function planRender(renderer: Renderer, base?: PreviousRelease): Promise<RenderPlan> {
  const addresses = new Map((await renderer.list()).map(item => [toFileName(item), item]))
  const names = [...addresses.keys()]
  if (!base) return { addresses, stale: names, removed: [], hasSamePages: false }
  const { digests, readsByFile } = base.record
  const changed = new Set<string>()
  for (const [read, digest] of digests) {
    if ((await renderer.digestOf(read)) !== digest) changed.add(read)
  }
  const failed = new Set(base.failed)
  const isStale = (name: string): boolean =>
    failed.has(name) || (readsByFile.get(name)?.some(read => changed.has(read)) ?? true)
  const removed = [...new Set([...readsByFile.keys(), ...failed])].filter(
    name => !addresses.has(name)
  )
  const hasSamePages = removed.length === 0 && readsByFile.size === addresses.size
  return { addresses, stale: names.filter(isStale), removed, hasSamePages }
}

function toFileName({ address, kind }: SiteAddress): string {
  return kind === 'page' ? pageFile(address) : address.slice(1)
}
