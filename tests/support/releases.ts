import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { seal, type Sealing } from '#server/release/seal.ts'
import { createReleaseStore, newReleaseId } from '#server/release/store.ts'

/** A built site, by path in it. */
export type SiteFiles = Record<string, string | Buffer>

const SCRIPT = 'console.log("Vanakkam")'

/** The smallest site that can be published. */
export const SMALL_SITE: SiteFiles = {
  'index.html': page('Home', `<script>${SCRIPT}</script><a href="/products">Products</a>`),
  'products.html': page('Products', '<a href="/">Home</a>'),
  '404.html': page('Oops! Page not found', '<script src="/_astro/shop.1a2b.js"></script>'),
  'sitemap-index.xml': '<sitemapindex></sitemapindex>',
  '_astro/shop.1a2b.js': `/* ${'spices '.repeat(50)} */ ${SCRIPT}`
}

export function page(title: string, body = ''): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
}

export function product(id: string): SiteFiles {
  return { [`products/${id}.html`]: page(id) }
}

/** A data folder that is removed with the test. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'palagaram-releases-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function writeSite(folder: string, files: SiteFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

/** Publishes the files as they are; answers the release's id. */
export async function release(
  dataDir: string,
  files: SiteFiles = SMALL_SITE,
  about: Partial<Sealing> = {}
): Promise<string> {
  const store = createReleaseStore(dataDir)
  const id = newReleaseId(Date.now())
  const folder = await store.begin(id)
  await writeSite(folder, files)
  await seal(folder, {
    id,
    createdAt: new Date().toISOString(),
    fingerprint: 'of the test',
    catalog: 'of the test',
    siteUrl: 'http://localhost:4321',
    publicApiBase: '/api',
    checkoutUrl: '/sandbox/razorpay/v1/checkout.js',
    products: [],
    assetsFolder: join(dataDir, 'assets'),
    ...about
  })
  await store.publish(id)
  return id
}
