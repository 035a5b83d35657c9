import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deadLinks, missingFiles, UnfitError } from './check.ts'
import { compress } from './compress.ts'
import { pagePolicy, policyText, type Policy } from './csp.ts'
import { eachAtMost, filesUnder, flush } from './files.ts'
import { headersFile, siteHeaders } from './headers.ts'
import { elements } from './html.ts'
import { MANIFEST, pageAddress, type Manifest, type ReleaseFile } from './manifest.ts'

const AT_ONCE = 4

export interface Sealing {
  id: string
  createdAt: string
  fingerprint: string
  catalog: string
  siteUrl: string
  publicApiBase: string
  /** The payment provider's script: absolute, or a path of this origin. */
  checkoutUrl: string
  /** The products that must have a page. */
  products: readonly string[]
  /** The folder that is served as `/assets`. */
  assetsFolder: string
}

/**
 * Makes a freshly built folder a release: checks it, adds each page's policy, the `_headers` of CDN hosts, compressed
 * forms and the manifest, and flushes it all; answers how many pages it has. Throws UnfitError when the site must not be published.
 */
export async function seal(folder: string, sealing: Sealing): Promise<number> {
  const names = await filesUnder(folder)
  const policies = await readPages(folder, names, sealing)
  const texts = [...new Set([...policies.values()].map(policyText))]
  const files = await eachAtMost(AT_ONCE, names, async name => {
    const policy = isPage(name) ? policies.get(pageAddress(name)) : undefined
    const listed = await list(folder, name)
    return [name, policy ? { ...listed, policy: texts.indexOf(policyText(policy)) } : listed] as const
  })

  const { id, createdAt, fingerprint, catalog } = sealing
  const headers = siteHeaders(sealing.siteUrl)
  const manifest: Manifest = {
    id,
    createdAt,
    fingerprint,
    catalog,
    headers,
    policies: texts,
    files: Object.fromEntries(files)
  }
  await writeFile(join(folder, '_headers'), headersFile(headers, policies))
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest))
  await eachAtMost(AT_ONCE, await filesUnder(folder), name => flush(join(folder, name)))
  return policies.size
}

/** The policy of each page by its address, in one reading that checks the pages too. */
async function readPages(folder: string, names: readonly string[], sealing: Sealing): Promise<Map<string, Policy>> {
  const files = new Set(names)
  const assets = new Set(await filesUnder(sealing.assetsFolder))
  const problems = missingFiles(files, sealing.products)
  const policies = new Map<string, Policy>()
  for (const name of names.filter(isPage)) {
    const page = elements(await readFile(join(folder, name), 'utf8'))
    const address = pageAddress(name)
    policies.set(address, pagePolicy(address, page, { api: sealing.publicApiBase, checkout: sealing.checkoutUrl }))
    problems.push(...deadLinks(name, page, files, assets))
  }
  if (problems.length > 0) throw new UnfitError(problems)
  return policies
}

async function list(folder: string, name: string): Promise<ReleaseFile> {
  const content = await readFile(join(folder, name))
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  return { size: content.length, hash, encodings: await compress(join(folder, name), name, content) }
}

function isPage(name: string): boolean {
  return name.endsWith('.html')
}
