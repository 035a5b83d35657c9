import { describe, expect, test } from 'vitest'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { HOUR, SECOND } from '#lib/time.ts'
import type { Trx } from '#server/platform/db/tables.ts'
import { toPaise } from '#lib/money.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { addToCatalog } from '../support/catalog.ts'
import { ENGINES } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

const CACHED_PATHS = [
  '/products',
  '/products/laddu',
  '/catalog/live',
  '/pictures',
  '/blog',
  '/discounted-products',
  '/site-content'
]
const products = {
  laddu: { description: 'Roasted gram flour, ghee and jaggery. '.repeat(40) },
  murukku: {}
}

async function setPrice(trx: Trx, price: number): Promise<void> {
  await raiseCounter(trx, 'catalog')
  await trx
    .updateTable('products')
    .set({ price: toPaise(price * 100) })
    .where('id', '=', 'laddu')
    .execute()
}

describe('Read cache', () => {
  test.for(CACHED_PATHS)('returns 304 for a known ETag of GET %s', async path => {
    const shop = await openShop('sqlite', { products })
    const first = await shop.get(path)
    const etag = String(first.headers['etag'])
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(first.headers['vary']).toBe('Accept-Encoding')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await shop.get(path, { 'if-none-match': known })
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
      expect(again.headers['cache-control']).toBe(first.headers['cache-control'])
    }
    expect((await shop.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('allows browsers to cache only the live catalogue, for 30 seconds', async () => {
    const shop = await openShop('sqlite', { products })
    expect((await shop.get('/products')).headers['cache-control']).toBe(
      'public, max-age=0, must-revalidate'
    )
    expect((await shop.get('/catalog/live')).headers['cache-control']).toBe('public, max-age=30')
  })

  test.for([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync]
  ] as const)(
    'compresses with %s and gives the compressed response its own ETag',
    async ([encoding, decompress]) => {
      const shop = await openShop('sqlite', { products })
      const plain = await shop.get('/products')
      const compressed = await shop.get('/products', { 'accept-encoding': encoding })
      expect(compressed.headers['content-encoding']).toBe(encoding)
      expect(decompress(compressed.raw)).toEqual(plain.raw)
      expect(compressed.raw.length).toBeLessThan(plain.raw.length / 2)
      expect(compressed.headers['etag']).not.toBe(plain.headers['etag'])
      const again = {
        'accept-encoding': encoding,
        'if-none-match': String(compressed.headers['etag'])
      }
      expect((await shop.get('/products', again)).status).toBe(304)
    }
  )

  test('does not compress small responses, nor any response if Accept-Encoding forbids compression', async () => {
    const shop = await openShop('sqlite', { products })
    expect(
      (await shop.get('/products/murukku', { 'accept-encoding': 'br' })).headers
    ).not.toHaveProperty('content-encoding')
    expect(
      (await shop.get('/products', { 'accept-encoding': 'br;q=0, identity' })).headers
    ).not.toHaveProperty('content-encoding')
  })

  test('answers HEAD with the headers of GET', async () => {
    const shop = await openShop('sqlite', { products })
    const get = await shop.get('/products')
    const head = await shop.request({ method: 'HEAD', url: '/api/products' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(String(get.raw.length))
    expect(head.headers['etag']).toBe(get.headers['etag'])
  })

  test('returns products and deals that were added after an earlier request', async () => {
    const shop = await openShop('sqlite', { products })
    expect((await shop.get('/products/thattai')).status).toBe(404)
    await shop.addToCatalog({ products: { thattai: {} }, deals: { now: { product: 'thattai' } } })
    expect((await shop.get('/products/thattai')).status).toBe(200)
    expect((await shop.get('/discounted-products')).body).toHaveLength(1)
  })

  test('returns a new live catalogue when a deal starts', async () => {
    const shop = await openShop('sqlite', {
      products,
      deals: { soon: { product: 'laddu', from: HOUR, to: 2 * HOUR } }
    })
    const before = await shop.get('/catalog/live')
    shop.clock.advance(HOUR)
    const after = await shop.get('/catalog/live', {
      'if-none-match': String(before.headers['etag'])
    })
    expect(after.body).toMatchObject({
      products: [{ id: 'laddu', deal: { percent: 20 } }, { id: 'murukku' }]
    })
  })

  test('returns a change made by another process even after the clock is set back', async () => {
    const shop = await openShop('sqlite', { products })
    await shop.get('/products/laddu')
    shop.clock.advance(-HOUR)
    await shop.writeFromOtherProcess(trx => setPrice(trx, 240))
    expect((await shop.get('/products/laddu')).body).toMatchObject({ price: 240 })
  })

  test('returns the new catalogue to all parallel requests after a change', async () => {
    const shop = await openShop('sqlite', { products })
    await shop.get('/products')
    const readInParallel = async (): Promise<unknown[]> =>
      (await Promise.all(Array.from({ length: 20 }, () => shop.get('/products/laddu')))).map(
        ({ body }) => body
      )
    const earlierBodies = readInParallel()
    await shop.write(trx => addToCatalog(trx, { products: { kaju: {} } }, shop.clock()))
    await shop.write(trx => setPrice(trx, 240))
    for (const body of await readInParallel()) expect(body).toMatchObject({ price: 240 })
    expect(await earlierBodies).toHaveLength(20)
  })
})

describe.each(ENGINES)('Read cache on %s', engine => {
  test('returns a change made by this process immediately after the commit', async () => {
    const shop = await openShop(engine, { products })
    const before = await shop.get('/products/laddu')
    await shop.write(trx => setPrice(trx, 240))
    const after = await shop.get('/products/laddu')
    expect(after.body).toMatchObject({ price: 240 })
    expect(after.headers['etag']).not.toBe(before.headers['etag'])
    expect(
      (await shop.get('/products/laddu', { 'if-none-match': String(before.headers['etag']) }))
        .status
    ).toBe(200)
  })

  test('does not return a change that was rolled back', async () => {
    const shop = await openShop(engine, { products })
    const failing = shop.write(async trx => {
      await setPrice(trx, 1)
      throw new Error('The kitchen is closed')
    })
    await expect(failing).rejects.toThrow('The kitchen is closed')
    expect((await shop.get('/products/laddu')).body).toMatchObject({ price: 100 })
  })

  test('returns a change made by another process after at most one second', async () => {
    const shop = await openShop(engine, { products })
    await shop.get('/products/laddu')
    await shop.writeFromOtherProcess(trx => setPrice(trx, 240))
    shop.clock.advance(SECOND)
    expect((await shop.get('/products/laddu')).body).toMatchObject({ price: 240 })
  })

  test('returns cached replies while the database is unavailable', async () => {
    const shop = await openShop(engine, { products })
    await shop.get('/products')
    await shop.database.close()
    shop.clock.advance(10 * SECOND)
    expect((await shop.get('/products')).body).toHaveLength(2)
    expect(await shop.get('/blog')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
  })
})
