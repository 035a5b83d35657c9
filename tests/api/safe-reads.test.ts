import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SECTION_NAMES } from '#lib/contract/names.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import { takeLease } from '#server/platform/process/jobs.ts'
import { createPublisher } from '#server/publishing/republish.ts'
import { addShopper, buy, callAs, openCheckoutShop, openPayment } from '../support/checkout.ts'
import { addCoupon } from '../support/coupons.ts'
import { setSettings } from '../support/places.ts'
import { sign } from '../support/publishing-shop.ts'
import { readTables } from '../support/safe-reads.ts'
import type { Shop } from '../support/shop.ts'
import { openTestPublisher } from '../support/test-publisher.ts'

const METRICS_TOKEN = 'a-token-of-16-letters'
const TICKET = 'x'.repeat(43)
/** What some routes need. */
const QUERY = `pincode=620018&date=2026-11-24&month=2026-11&token=${TICKET}&language=en&order=`

async function openFullShop() {
  const publisher = await openTestPublisher('sqlite')
  const shop = await openCheckoutShop('sqlite', {
    publishing: createPublisher(publisher),
    clock: publisher.clock,
    config: { rebuildSecret: 'a-rebuild-secret', metricsToken: METRICS_TOKEN },
    products: { lemon: { category: 'pickles', price: 120 }, halwa: { stock: 0 } },
    deals: { festival: { product: 'lemon' } },
    posts: { news: {} },
    collections: { gifts: ['lemon'] }
  })
  await publisher.publish()
  const [anita, owner] = [await addShopper(shop), await addShopper(shop, 'meena', 'owner')]
  await buy(shop, anita)
  await openPayment(shop, anita)
  await callAs(anita, shop, 'POST /products/halwa/stock-alert')
  await callAs(anita, shop, 'POST /flash-deals/generate/lemon')
  await callAs(anita, shop, 'PUT /cart', { lines: [{ product: 'lemon', quantity: 1 }], version: 0 })
  await shop.post('/contact', { name: 'Ravi', email: 'ravi@example.com', message: 'Vanakkam' })
  await shop.post('/search/missed', { text: 'pizza' })
  await setSettings(shop, Object.fromEntries(SECTION_NAMES.map(name => [name, {}])))
  await addCoupon(shop, 'DIWALI')
  const draft = { email: 'helper@example.com', staff: 'kitchen' }
  await callAs(owner, shop, 'POST /admin/invitations', draft)
  await callAs(owner, shop, 'POST /admin/publishing/retry')
  const ticket = createHash('sha256').update(TICKET).digest('hex')
  await shop.write(trx => takeLease(trx, `download ${ticket}`, owner.id, 10 * MINUTE))
  await mkdir(join(shop.dataDir, 'downloads'))
  await writeFile(join(shop.dataDir, 'downloads', `${ticket}.tar.gz`), 'archive')
  await shop.deliverMails()
  await shop.app.whenIdle()
  // The first use of a day renews a session, and some calls need a new one.
  shop.clock.advance(DAY)
  const tokens = [undefined, anita.token, owner.token, METRICS_TOKEN]
  return { shop, tokens: [...tokens, (await addShopper(shop, 'lakshmi', 'owner')).token] }
}

/** The URLs of routes that answer GET. */
function listReads({ app }: Shop) {
  const path: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap(line => {
      const [, indent = '', part = '', methods = ''] = /^(.*?── )(\S+) \((.*)\)/.exec(line) ?? []
      path.splice(indent.length / 4 - 1, Infinity, part)
      return methods.split(', ').includes('GET') ? path.join('') : []
    })
}

/** Values for the parameters of paths. */
async function listIds({ database: { kysely } }: Shop) {
  const tables = ['products', 'orders', 'posts', 'coupons', 'contact_messages', 'users'] as const
  const ids = tables.map(table => kysely.selectFrom(table).select('id').execute())
  const rows = [...(await Promise.all(ids)).flat()]
  const publishes = await kysely.selectFrom('publishes').select('id').execute()
  return [...[...rows, ...publishes].map(({ id }) => String(id)), 'gifts', '1', TICKET]
}

test('GET, HEAD and OPTIONS change nothing, whoever asks, and only public replies are cached', async () => {
  const { shop, tokens } = await openFullShop()
  const ids = await listIds(shop)
  const routes = listReads(shop)
  expect(routes.length).toBeGreaterThan(100)
  const before = await readTables(shop.database.kysely)
  const [answered, cached] = [new Set<string>(), new Set<string>()]
  for (const route of [...routes, '/', '/products', '/nothing']) {
    for (const id of /:\w+/.test(route) ? ids : ['']) {
      if (answered.has(route)) break
      const url = `${route.replace(/:\w+/, encodeURIComponent(id))}?${QUERY}`
      for (const token of tokens) {
        const headers = {
          'sec-purpose': 'prefetch;prerender',
          'x-shop-signature': sign(id),
          ...(token !== undefined && { authorization: `Bearer ${token}` })
        }
        const reply = await shop.request({ url, headers })
        if (reply.status >= 400) continue
        answered.add(route)
        if (reply.headers['cache-control'] !== 'no-store') cached.add(route)
        for (const method of ['HEAD', 'OPTIONS'] as const)
          await shop.request({ method, url, headers })
      }
    }
  }
  await shop.app.whenIdle()
  const unanswered = routes.filter(route => !answered.has(route) && !route.endsWith('*'))
  expect(unanswered).toEqual(['/api', '/api/'])
  expect(await readTables(shop.database.kysely)).toEqual(before)
  expect([...cached].filter(route => /admin|auth|order|cart|mine|backup/.test(route))).toEqual([])
})
