import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MY_ORDERS_PATH, paths } from '#lib/paths.ts'
import { listFiles } from '../../platform/storage/files.ts'
import {
  formatHeadersFile,
  pagePolicy,
  siteHeaders,
  type Policy,
  type PolicySettings
} from './headers.ts'
import { parseElements } from './html.ts'
import { isPage, pageAddress } from './manifest.ts'

export const HOST_FILES = ['_headers', '_redirects'] as const

export const REDIRECTS: Readonly<Record<string, string>> = { [MY_ORDERS_PATH]: paths.orders }

/** Netlify removes `.html` and trailing slashes itself; rules for these would go in a circle. */
export function formatHostFiles(
  siteUrl: string,
  policies: ReadonlyMap<string, Policy>
): Record<(typeof HOST_FILES)[number], string> {
  const redirects = Object.entries(REDIRECTS).map(([from, to]) => `${from} ${to} 301\n`)
  return {
    _headers: formatHeadersFile(siteHeaders(siteUrl), policies),
    _redirects: redirects.join('')
  }
}

export async function writeHostFiles(
  folder: string,
  siteUrl: string,
  settings: PolicySettings
): Promise<void> {
  const policies = new Map<string, Policy>()
  for (const name of (await listFiles(folder)).filter(isPage)) {
    const address = pageAddress(name)
    const page = parseElements(await readFile(join(folder, name), 'utf8'))
    policies.set(address, pagePolicy(address, page, settings))
  }
  const files = Object.entries(formatHostFiles(siteUrl, policies))
  for (const [name, text] of files) await writeFile(join(folder, name), text)
}
