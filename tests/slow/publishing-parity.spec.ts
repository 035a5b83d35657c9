import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { FEED_PATH, paths } from '#lib/paths.ts'
import { expect, test } from '../support/browser.ts'

test.describe('Incremental publishing', () => {
  test('produces the same pages, headers and redirects as `astro build`', async ({
    page,
    products,
    shop,
    accounts,
    request
  }) => {
    test.setTimeout(300_000)
    const outDir = mkdtempSync(join('node_modules', '.cache', 'palagaram-parity-'))
    try {
      const [model] = products
      const data = {
        ...model,
        name: 'Fresh Sweet',
        family: null,
        hidden: false,
        key: randomUUID()
      }
      const headers = await accounts.adminHeaders()
      const added = await request.post('/api/admin/products', { headers, data })
      expect(added.ok()).toBe(true)
      const productUrl = `${shop.url}${paths.product('fresh-sweet')}`
      await expect
        .poll(async () => (await fetch(productUrl)).status, { timeout: 120_000, intervals: [100] })
        .toBe(200)

      await build(shop.url, outDir)
      const release = join(shop.dataDir, 'current')
      const names = pagesUnder(release)
      expect(names).toEqual(pagesUnder(outDir))
      for (const name of ['_headers', '_redirects', FEED_PATH]) {
        expect(readFileSync(join(outDir, name), 'utf8')).toBe(
          readFileSync(join(release, name), 'utf8')
        )
      }
      for (const name of [...names, 'sitemap-0.xml']) {
        const files = [release, outDir].map(folder =>
          withoutHashes(readFileSync(join(folder, name), 'utf8'))
        )
        expect(await page.evaluate(areEqual, { files, name }), name).toBe(true)
      }
    } finally {
      rmSync(outDir, { recursive: true, force: true })
    }
  })
})

/** Builds the website in the same way as `npm run build` on a CDN host. */
async function build(url: string, outDir: string) {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
    ASTRO_TELEMETRY_DISABLED: '1',
    BUILD_API_BASE: `${url}/api`,
    SITE_URL: 'http://localhost:4321',
    PUBLIC_API_BASE: '/api',
    OUT_DIR: outDir
  }
  await promisify(execFile)(process.execPath, ['node_modules/astro/astro.js', 'build'], {
    env,
    maxBuffer: 1 << 26
  })
}

function pagesUnder(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.html'))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort()
}

/** `/_astro/icons.Clswx1-W.svg` becomes `/_astro/icons.svg`. */
function withoutHashes(page: string) {
  return page.replaceAll(/(\/_astro\/[^"'\s]+?)\.[\w-]{8}(?=\.\w+)/g, '$1')
}

/** Runs in the browser. The order of attributes and of the sitemap's URLs does not matter. */
function areEqual({ files, name }: { files: string[]; name: string }) {
  const [a, b] = files.map(text =>
    new DOMParser().parseFromString(text, name.endsWith('.xml') ? 'text/xml' : 'text/html')
  )
  if (!a || !b || name.endsWith('.html')) return a?.isEqualNode(b ?? null) === true
  const [urls, others] = [a, b].map(sitemap =>
    [...sitemap.querySelectorAll('loc')].map(url => url.textContent).sort()
  )
  return urls?.join() === others?.join()
}
