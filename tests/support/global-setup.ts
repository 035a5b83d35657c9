import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, startShop, temporaryFolder } from './server.ts'

/** Encoded demo pictures and built site code of earlier runs. The shop makes only what is missing. */
const CACHE = join('node_modules', '.cache', 'palagaram-tests')

/** Starts one shop for all browser tests. Specs read SHOP_URL and SHOP_DATA. */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = temporaryFolder()
  for (const folder of ['assets', 'code'])
    if (existsSync(join(CACHE, folder))) cpSync(join(CACHE, folder), join(dataDir, folder), { recursive: true })
  const shop = await startShop({ dataDir })
  process.stdout.write(`Shop ready after ${(shop.startupMs / 1000).toFixed(1)} s\n`)
  cpSync(join(dataDir, 'assets'), join(CACHE, 'assets'), { recursive: true })
  process.env['SHOP_URL'] = shop.url
  process.env['SHOP_DATA'] = dataDir
  return async () => {
    await shop.stop()
    removeFolder(dataDir)
  }
}
