import { expect, test } from 'playwright/test'
import { copyShop } from '../support/browser-data.ts'
import { freePort, removeFolder, startShop } from '../support/server.ts'

test.use({ serviceWorkers: 'allow' })

test('SERVICE_WORKER=off removes the worker and what it has kept from browsers', async ({
  page
}) => {
  test.setTimeout(400_000)
  const options = { dataDir: copyShop(), port: await freePort() }
  let shop = await startShop(options)
  const kept = () => page.evaluate(() => caches.keys())
  const release = async () => (await fetch(`${shop.url}/release.txt`)).text()
  try {
    const before = await release()
    await page.goto(shop.url)
    await expect.poll(kept).toContain('pages')
    await shop.stop()
    shop = await startShop({ ...options, env: { SERVICE_WORKER: 'off' } })
    await expect.poll(release, { timeout: 300_000 }).not.toBe(before)
    await page.goto(shop.url)
    await expect.poll(kept).toEqual([])
    await page.goto(`${shop.url}/products`, { waitUntil: 'networkidle' })
    expect(await kept()).toEqual([])
    const addresses = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name)
    )
    expect(addresses.filter(url => url.endsWith('/sw.js'))).toEqual([])
  } finally {
    await shop.stop()
    removeFolder(options.dataDir)
  }
})
