import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { toPaise } from '#lib/money.ts'
import { MINUTE } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { startCommand } from '../support/command.ts'
import { seededRandom } from '../support/random-changes.ts'
import { openRenderedShop, type RenderedShop } from '../support/rendered-shop.ts'

const MIN_KILLS = Number(process.env['PUBLISH_KILLS'] ?? 1)
const MIN_READS = 200 * MIN_KILLS
const products = Object.fromEntries(['laddu', 'jangiri', 'halwa', 'murukku'].map(id => [id, {}]))
const PAGES = [
  '/',
  '/products',
  '/blogs',
  '/about',
  '/cart',
  '/discounted-products',
  ...Object.keys(products).map(productPath)
]

test(
  'Visitors get complete pages of one release while the publisher is killed repeatedly',
  async () => {
    const shop = await openRenderedShop({ products })
    await setAllPrices(shop, 1)
    const startedAt = performance.now()
    await publishOnce(shop)
    const duration = performance.now() - startedAt

    const reader = startReading(shop)
    const random = seededRandom(20)
    let kills = 0
    for (let round = 2; kills < MIN_KILLS || reader.reads() < MIN_READS; round++) {
      await setAllPrices(shop, round)
      // The time of the kill is random and can be after the end of the publish.
      if (await publishOnce(shop, random(Math.ceil(duration * 1.1)))) kills++
    }
    await setAllPrices(shop, 999)
    await publishOnce(shop)
    const { reads, problems } = await reader.stop()
    expect(problems).toEqual([])
    expect(reads).toBeGreaterThanOrEqual(MIN_READS)

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

/** Runs `npm run publish`. Returns true if it was killed after `killAfterMs`. */
async function publishOnce({ env, port }: RenderedShop, killAfterMs?: number): Promise<boolean> {
  const command = startCommand(['server/commands/publish.ts'], { ...env, PORT: String(port) })
  const exit = command.waitForExit()
  if (killAfterMs !== undefined) await Promise.race([exit, wait(killAfterMs)])
  if (killAfterMs !== undefined && (await command.stop('SIGKILL')) === null) return true
  if ((await exit) !== 0) throw new Error(`Publish failed: ${command.output()}`)
  return false
}

/**
 * Gives all products the same price. A page built from two catalogue versions would show two
 * prices.
 */
async function setAllPrices({ write }: RenderedShop, rupees: number): Promise<void> {
  await write(async trx => {
    await trx
      .updateTable('products')
      .set({ price: toPaise(rupees * 100) })
      .execute()
    await raiseCounter(trx, 'catalog')
  })
}

interface Reader {
  reads(): number
  stop(): Promise<{ reads: number; problems: string[] }>
}

function startReading(shop: RenderedShop): Reader {
  const problems: string[] = []
  let reads = 0
  let stopped = false
  async function run(): Promise<void> {
    while (!stopped) {
      for (const page of PAGES) {
        const problem = await checkPage(shop, page)
        reads++
        if (problem) problems.push(problem)
        // Leaves most of the processor to the publisher.
        await wait(3)
      }
    }
  }
  const running = run()
  return {
    reads: () => reads,
    async stop() {
      stopped = true
      await running
      return { reads, problems }
    }
  }
}

async function checkPage({ app }: RenderedShop, page: string): Promise<string | undefined> {
  const { statusCode, body, headers } = await app.inject(page)
  if (statusCode !== 200) return `${page} returns ${statusCode}`
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  if (headers.etag !== `"${tag}"`) return `${page} does not match its ETag`
  if (!body.includes('</html>')) return `${page} is truncated`
  const prices = parsePrices(body)
  return prices.length > 1 ? `${page} shows the prices ${prices.join(' and ')}` : undefined
}

async function fetchPrices({ app, releases }: RenderedShop, page: string): Promise<string[]> {
  await releases.refresh()
  return parsePrices((await app.inject(page)).body)
}

function parsePrices(body: string): string[] {
  const prices = [...body.matchAll(/data-live="price"[^>]*>₹([\d,.]+)|"price":"([\d.]+)"/g)]
  return [...new Set(prices.map(([, shown, data]) => shown ?? data ?? ''))]
}

function productPath(id: string): string {
  return `/products/${id}`
}
