import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { paths } from '#lib/paths.ts'
import { expect, test } from '../support/browser.ts'
import { addProduct, startIsolatedShop } from '../support/browser-isolated-shop.ts'

const RELEASE_FILES = /\.(br|gz)$|^(_headers|release\.json|reads\.json)$/

test.describe('Incremental publishing', () => {
  test('produces exactly the same files as `astro build`', async ({ products }) => {
    test.setTimeout(300_000)
    const shop = await startIsolatedShop()
    const outDir = mkdtempSync(join('node_modules', '.cache', 'palagaram-parity-'))
    try {
      const [model] = products
      if (!model) throw new Error('The demo catalogue is empty')
      await addProduct(shop.dataDir, { ...model, id: 'fresh-sweet', name: 'Fresh Sweet', price: 111.5 })
      const productUrl = `${shop.url}${paths.product('fresh-sweet')}`
      await expect.poll(async () => (await fetch(productUrl)).status, { timeout: 120_000, intervals: [500] }).toBe(200)

      await build(shop.url, outDir)
      const release = join(shop.dataDir, 'current')
      const published = filesUnder(release).filter(name => !RELEASE_FILES.test(name))
      expect(published).toEqual(filesUnder(outDir))
      const different = published.filter(
        name => !readFileSync(join(release, name)).equals(readFileSync(join(outDir, name)))
      )
      expect(different).toEqual([])
    } finally {
      rmSync(outDir, { recursive: true, force: true })
      await shop.stop()
    }
  })
})

/** Builds the website in the same way as `npm run build` on a CDN host. */
async function build(url: string, outDir: string): Promise<void> {
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
  await promisify(execFile)(process.execPath, ['node_modules/astro/astro.js', 'build'], { env, maxBuffer: 1 << 26 })
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort()
}
