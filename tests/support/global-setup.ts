import { removeFolder, startShop } from './server.ts'

/** Starts one shop for all browser tests. Specs read SHOP_URL and SHOP_DATA. */
export default async function setup(): Promise<() => Promise<void>> {
  const shop = await startShop()
  process.stdout.write(`Shop ready after ${(shop.startupMs / 1000).toFixed(1)} s\n`)
  process.env['SHOP_URL'] = shop.url
  process.env['SHOP_DATA'] = shop.dataDir
  return async () => {
    await shop.stop()
    removeFolder(shop.dataDir)
  }
}
