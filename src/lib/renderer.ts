import type { SiteContent } from './contract/content.ts'
import { language } from './contract/texts.ts'
import type { EpochMs } from './time.ts'

export interface Renderer {
  inlineScripts: ReadonlySet<string>
  open(source: SiteSource): void
  list(): Promise<SiteAddress[]>
  render(address: string): Promise<Rendered>
  digestOf(read: string): Promise<string>
}

export interface SiteSource {
  content: SiteContent
  readAt: EpochMs
}

export interface SiteAddress {
  address: string
  kind: 'page' | 'file'
}

interface Rendered {
  status: number
  body: Buffer
  reads: string[]
}

export function findInlineScripts(source: string): string[] {
  return [...source.matchAll(/<script is:inline[^>]*(?<!\/)>([^]*?)<\/script>/g)].map(
    ([, text = '']) => text
  )
}

/** A part can have 10 kB. */
const MAX_PARTS = 2000
const parts = new Map<string, Promise<string>>()

/** Caches the HTML of a part that many pages show, until `forgetParts` is called. */
export function renderOnce(key: string, render: () => Promise<string>): Promise<string> {
  const localKey = `${language()} ${key}`
  const part = parts.get(localKey) ?? render()
  if (parts.size < MAX_PARTS && !import.meta.env?.DEV) parts.set(localKey, part)
  return part
}

export function forgetParts(): void {
  parts.clear()
}
