import { describe, expect, test } from 'vitest'
import { paise } from '#lib/money.ts'
import { HOUR } from '#lib/time.ts'
import { publicFingerprint } from '#server/actions/public-fingerprint.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, testClock, type Shop } from '../support/shop.ts'

const catalog = {
  products: { laddu: { stock: 20 }, murukku: { stock: 5 } },
  deals: { soon: { product: 'laddu', from: HOUR, to: 2 * HOUR } },
  posts: { story: {} },
  pictures: { 'hero-sweets': {} }
}

async function setStock({ write }: Shop, stock: number): Promise<void> {
  await write(trx => trx.updateTable('products').set({ stock }).where('id', '=', 'laddu').execute())
}

describe.each(ENGINES)('what pages are built from, on %s,', engine => {
  test('is the same as long as nothing that they show changes', async () => {
    const shop = await openShop(engine, catalog)
    const first = await publicFingerprint(shop)
    shop.clock.advance(HOUR - 1)
    await setStock(shop, 19)
    expect(await publicFingerprint(shop)).toBe(first)
    await setStock(shop, 6)
    expect(await publicFingerprint(shop)).toBe(first)
  })

  test('changes when the word for the stock does', async () => {
    const shop = await openShop(engine, catalog)
    const seen = new Set<string>()
    for (const stock of [20, 5, 0]) {
      await setStock(shop, stock)
      seen.add(await publicFingerprint(shop))
    }
    expect(seen.size).toBe(3)
  })

  test('changes when a deal starts and when it ends', async () => {
    const shop = await openShop(engine, catalog)
    const before = await publicFingerprint(shop)
    shop.clock.advance(HOUR)
    const during = await publicFingerprint(shop)
    shop.clock.advance(HOUR)
    expect(during).not.toBe(before)
    expect(await publicFingerprint(shop)).toBe(before)
  })

  test.for([
    ['a price', { table: 'products', set: { price: paise(1) } }],
    ['a text of the blog', { table: 'posts', set: { content: 'New words' } }],
    ['a picture', { table: 'pictures', set: { alt: 'Another plate' } }]
  ] as const)('changes with %s', async ([, { table, set }]) => {
    const shop = await openShop(engine, catalog)
    const before = await publicFingerprint(shop)
    await shop.write(trx => trx.updateTable(table).set(set).execute())
    expect(await publicFingerprint(shop)).not.toBe(before)
  })

  test('changes with the year in India', async () => {
    const shop = await openShop(engine, { ...catalog, clock: testClock('2026-12-31T18:29:59.000Z') })
    const before = await publicFingerprint(shop)
    shop.clock.advance(999)
    expect(await publicFingerprint(shop)).toBe(before)
    shop.clock.advance(1)
    expect(await publicFingerprint(shop)).not.toBe(before)
  })
})
