import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { toPaise } from '#lib/money.ts'
import { MINUTE } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { loadManifest } from '#server/publishing/release/store.ts'
import { createRenderProcess } from '#server/publishing/render-process.ts'
import { startCommand } from '../support/command.ts'
import { seededInt } from '../support/random.ts'
import { openRenderedShop, openSite, type RenderedShop } from '../support/rendered-shop.ts'

const MIN_READS = 200
const products = Object.fromEntries(['laddu', 'jangiri', 'halwa', 'murukku'].map(id => [id, {}]))
const PAGES = [
  '/',
  '/products',
  '/blogs',
  '/about',
  '/cart',
  '/discounted-products',
  ...Object.keys(products).map(id => `/products/${id}`)
]

test(
  'Visitors get complete pages of one release while the publisher is killed repeatedly',
  async () => {
    const shop = await openRenderedShop({ products })
    onTestFinished(shop.close)
    await shop.app.listen({ host: '127.0.0.1', port: 0 })
    await setAllPrices(shop, 1)
    const startedAt = performance.now()
    await publishOnce(shop)
    const duration = performance.now() - startedAt

    const reader = startReading(shop)
    const random = seededInt(20)
    let kills = 0
    for (let round = 2; kills === 0 || reader.reads() < MIN_READS; round++) {
      await setAllPrices(shop, round)
      // The time of the kill is random and can be after the end of the publish.
      if (await publishOnce(shop, random(0, Math.ceil(duration * 1.1)))) kills++
    }
    await setAllPrices(shop, 999)
    await publishOnce(shop)
    expect(await reader.stop()).toEqual([])

    // The last publish deletes the unfinished folders of the killed ones.
    expect(await fetchPrices(shop, '/products/laddu')).toEqual(['999.00'])
    const remaining = await readdir(shop.dataDir)
    expect(remaining.filter(name => name.startsWith('current'))).toEqual(['current'])
    const releases = await readdir(join(shop.dataDir, 'releases'))
    expect(releases.filter(name => name.endsWith('.building'))).toEqual([])
    expect(releases.length).toBeLessThanOrEqual(5)
  },
  15 * MINUTE
)

test(
  'A release has the same files from two processes, which render more than a hundred pages, as from one',
  async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`laddu-${n}`, {}]))
    const { shop, buildRelease, beginRelease } = await openSite({ products: many })
    onTestFinished(shop.close)
    const { folder } = await buildRelease()
    const process = createRenderProcess({ PATH: '/bin' })
    onTestFinished(() => process.close())
    const { lastFolder: _, ...job } = await beginRelease()
    const options = { signal: new AbortController().signal, onProgress: () => undefined }
    expect(await process.render(shop.code, job, options)).toMatchObject({
      state: 'made',
      warnings: []
    })
    const [one, two] = [await loadManifest(folder), await loadManifest(job.folder)]
    expect(Object.keys(two?.files ?? {}).length).toBeGreaterThan(100)
    const { id, counter, createdAt } = two ?? {}
    const files = { ...one?.files, 'release.txt': two?.files['release.txt'] }
    expect(two).toEqual({ ...one, id, counter, createdAt, files })
  },
  4 * MINUTE
)

/** Runs `npm run publish`. Returns true if it was killed after `killAfterMs`. */
async function publishOnce({ env, app }: RenderedShop, killAfterMs?: number) {
  const { port } = app.server.address() as AddressInfo
  const command = startCommand(['server/commands/publish.ts'], { ...env, PORT: String(port) })
  const exit = command.waitForExit()
  if (killAfterMs !== undefined) {
    await Promise.race([exit, wait(killAfterMs)])
    if ((await command.stop('SIGKILL')) === null) return true
  }
  if ((await exit) !== 0) throw new Error(`Publish failed: ${command.output()}`)
  return false
}

/**
 * Gives all products the same price. A page built from two catalogue versions would show two
 * prices.
 */
async function setAllPrices({ write }: RenderedShop, rupees: number) {
  await write(async trx => {
    await trx
      .updateTable('products')
      .set({ price: toPaise(rupees * 100) })
      .execute()
    await raiseCounter(trx, 'catalog')
  })
}

function startReading(shop: RenderedShop) {
  const problems: string[] = []
  let reads = 0
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      for (const page of PAGES) {
        problems.push(...(await checkPage(shop, page)))
        reads++
        // Leaves most of the processor to the publisher.
        await wait(3)
      }
    }
  })()
  return {
    reads: () => reads,
    async stop() {
      stopped = true
      await running
      return problems
    }
  }
}

async function checkPage({ app }: RenderedShop, page: string) {
  const { statusCode, body, headers } = await app.inject(page)
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const isComplete = body.includes('</html>') && headers.etag === `"${tag}"`
  const prices = parsePrices(body)
  return statusCode === 200 && isComplete && prices.length < 2
    ? []
    : [`${page}: ${statusCode}, ${isComplete ? '' : 'incomplete, '}prices ${prices.join(' ')}`]
}

async function fetchPrices({ app, releases }: RenderedShop, page: string) {
  await releases.refresh()
  return parsePrices((await app.inject(page)).body)
}

function parsePrices(body: string) {
  const prices = [...body.matchAll(/data-live="price"[^>]*>₹([\d,.]+)|"price":"([\d.]+)"/g)]
  return [...new Set(prices.map(([, shown, data]) => shown ?? data ?? ''))]
}
