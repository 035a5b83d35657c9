import { describe, expect, test } from 'vitest'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { HOUR, SECOND } from '#lib/time.ts'
import type { Trx } from '#server/platform/db/tables.ts'
import { toPaise } from '#lib/money.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { expectOk, expectBody } from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

const CACHED_PATHS = [
  '/products',
  '/products/laddu',
  '/catalog/live',
  '/catalog/live?ids=laddu',
  '/pictures',
  '/blog',
  '/discounted-products',
  '/site-content'
]
const products = {
  laddu: { description: 'Roasted gram flour, ghee and jaggery. '.repeat(40) },
  murukku: {}
}

async function setPrice(trx: Trx, price: number) {
  await raiseCounter(trx, 'catalog')
  await trx
    .updateTable('products')
    .set({ price: toPaise(price * 100) })
    .where('id', '=', 'laddu')
    .execute()
}

describe('Read cache', () => {
  test('returns 304 for a known ETag', async () => {
    const shop = await openShop('sqlite', { products })
    for (const path of CACHED_PATHS) {
      const { headers } = await shop.get(path)
      const etag = String(headers['etag'])
      // Browsers may cache only the live catalogue.
      const cacheControl = path.startsWith('/catalog/live')
        ? 'public, max-age=30'
        : 'public, max-age=0, must-revalidate'
      const isPlain = path.startsWith('/catalog/live') || path === '/site-content'
      const vary = `Accept-Encoding${isPlain ? '' : ', Accept-Language'}`
      const expected = { etag, 'cache-control': cacheControl, vary }
      expect(headers, path).toMatchObject(expected)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await shop.get(path, { 'if-none-match': known })
        expect(again, path).toMatchObject({ status: 304, text: '', headers: expected })
      }
      await expectOk(shop.get(path, { 'if-none-match': '"other"' }))
    }
  })

  test('compresses large replies unless the request forbids it, with an ETag of their own', async () => {
    const shop = await openShop('sqlite', { products })
    const plain = await shop.get('/products')
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync]
    ] as const) {
      const accepted = { 'accept-encoding': encoding }
      const { headers, raw } = await shop.get('/products', accepted)
      expect(headers['content-encoding']).toBe(encoding)
      expect(decompress(raw)).toEqual(plain.raw)
      expect(raw.length).toBeLessThan(plain.raw.length / 2)
      expect(headers['etag']).not.toBe(plain.headers['etag'])
      const known = { ...accepted, 'if-none-match': String(headers['etag']) }
      expect((await shop.get('/products', known)).status).toBe(304)
    }
    for (const [path, accepted] of [
      ['/products/murukku', 'br'],
      ['/products', 'br;q=0, identity']
    ] as const) {
      const { headers } = await shop.get(path, { 'accept-encoding': accepted })
      expect(headers).not.toHaveProperty('content-encoding')
    }
  })

  test('returns a new live catalogue when a deal starts', async () => {
    const shop = await openShop('sqlite', {
      products,
      deals: { soon: { product: 'laddu', from: HOUR, to: 2 * HOUR } }
    })
    const known = (await shop.get('/catalog/live')).headers['etag']
    shop.clock.advance(HOUR)
    const after = await shop.get('/catalog/live', { 'if-none-match': String(known) })
    expect(after.body).toMatchObject({
      products: [{ id: 'laddu', deal: { percent: 20 } }, { id: 'murukku' }]
    })
  })
})

describe.each(ENGINES)('Read cache on %s', engine => {
  test('returns a change of this process immediately, unless it is rolled back', async () => {
    const shop = await openShop(engine, { products })
    const known = { 'if-none-match': String((await shop.get('/products/laddu')).headers['etag']) }
    const failing = shop.write(async trx => {
      await setPrice(trx, 1)
      throw new Error('The kitchen is closed')
    })
    await expect(failing).rejects.toThrow('The kitchen is closed')
    await expectBody(shop.get('/products/laddu'), { price: 100 })
    await shop.write(trx => setPrice(trx, 240))
    await expectBody(shop.get('/products/laddu', known), { price: 240 })
  })

  test('returns a change made by another process after at most one second', async () => {
    const shop = await openShop(engine, { products })
    await shop.get('/products/laddu')
    await shop.writeFromOtherProcess(trx => setPrice(trx, 240))
    shop.clock.advance(SECOND)
    await expectBody(shop.get('/products/laddu'), { price: 240 })
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
