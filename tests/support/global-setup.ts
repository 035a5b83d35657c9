import { cpSync, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildSite } from './built-site.ts'
import { removeFolder, startShop, temporaryFolder } from './server.ts'

/** Encoded demo pictures are kept between runs, because encoding them takes most of the first start. */
const PICTURES = join('node_modules', '.cache', 'palagaram-pictures')

/** Starts one shop for all browser tests. Specs read SHOP_URL and SHOP_DATA. */
export default async function setup(): Promise<() => Promise<void>> {
  const site = process.env['BUILT_SITE'] ?? (await buildSite())
  const dataDir = temporaryFolder()
  cpSync(site, join(dataDir, 'code', basename(site)), { recursive: true })
  if (existsSync(PICTURES)) cpSync(PICTURES, join(dataDir, 'assets'), { recursive: true })
  const shop = await startShop({ dataDir })
  process.stdout.write(`Shop ready after ${(shop.startupMs / 1000).toFixed(1)} s\n`)
  cpSync(join(dataDir, 'assets'), PICTURES, { recursive: true })
  process.env['SHOP_URL'] = shop.url
  process.env['SHOP_DATA'] = dataDir
  return async () => {
    await shop.stop()
    removeFolder(dataDir)
  }
}
