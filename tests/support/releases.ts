import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SiteAddress, SiteSource, Renderer } from '#lib/renderer.ts'
import { makeRelease, type ReleaseJob } from '#server/publishing/release/make-release.ts'
import { compressFolder } from '#server/publishing/release/files.ts'
import { newReleaseId, openReleases, pageAddress } from '#server/publishing/release/store.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** File contents by path. */
export type SiteFiles = Record<string, string | Buffer>

/** The content that the fake renderer does not read. */
export const SOURCE: Pick<ReleaseJob, 'source' | 'pictures'> = {
  source: { content: {} as SiteSource['content'], readAt: 0 },
  pictures: []
}

const SCRIPT = 'console.log("Vanakkam")'

export const SMALL_SITE: SiteFiles = {
  'index.html': makePage('Home', `<script>${SCRIPT}</script><a href="/products">Products</a>`),
  'products.html': makePage('Products', '<a href="/">Home</a>'),
  '404.html': makePage('Oops! Page not found', '<script src="/_astro/shop.1a2b.js"></script>'),
  '_astro/shop.1a2b.js': `/* ${'spices '.repeat(50)} */ ${SCRIPT}`
}

export function makePage(title: string, body = ''): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
}

export async function writeSite(folder: string, files: SiteFiles): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

/** Renders these files. Each page depends only on its own file. */
export function fakeRenderer(files: () => SiteFiles): Renderer {
  const pages = (): string[] => Object.keys(files()).filter(name => name.endsWith('.html'))
  return {
    inlineScripts: new Set([SCRIPT]),
    open: () => undefined,
    list: async () =>
      pages().map((name): SiteAddress => ({ address: pageAddress(name), kind: 'page' })),
    async render(address) {
      const name = pages().find(candidate => pageAddress(candidate) === address) ?? ''
      return {
        status: name === '404.html' ? 404 : 200,
        body: Buffer.from(files()[name] ?? ''),
        reads: [name]
      }
    },
    digestOf: async name => createHash('sha256').update(String(files()[name])).digest('hex')
  }
}

export async function writeClient(code: string, files: SiteFiles): Promise<void> {
  const client = join(code, 'client')
  await rm(client, { recursive: true, force: true })
  await mkdir(client, { recursive: true })
  await writeSite(
    client,
    Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith('.html')))
  )
}

export async function publishRelease(
  dataDir: string,
  files: SiteFiles = SMALL_SITE
): Promise<string> {
  const releases = openReleases(dataDir)
  const last = await releases.current()
  const id = newReleaseId(Date.now())
  const code = join(await temporaryFolder(), 'code')
  await writeClient(code, files)
  await compressFolder(join(code, 'client'))
  const job: ReleaseJob = {
    id,
    createdAt: new Date().toISOString(),
    code: 'test-code',
    counter: 0,
    levels: 0,
    siteUrl: 'http://localhost:4321',
    publicApiBase: '/api',
    checkoutUrl: '/sandbox/razorpay/v1/checkout.js',
    folder: await releases.begin(id),
    client: join(code, 'client'),
    rendersAll: false,
    ...SOURCE,
    ...(last && { lastFolder: last.folder })
  }
  await makeRelease(
    fakeRenderer(() => files),
    job,
    () => undefined
  )
  await releases.goLive(id, job.folder)
  return id
}
