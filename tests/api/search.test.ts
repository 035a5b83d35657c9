import { describe, expect, test } from 'vitest'
import { DAY } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { addAttempts, expectOk } from '../support/accounts.ts'
import { openAdminShop } from '../support/admin-products.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { setSettings } from '../support/places.ts'
import type { Reply } from '../support/shop.ts'

async function openSearchShop(engine: Engine) {
  const shop = await openAdminShop(engine)
  return {
    ...shop,
    miss: (text: string): Promise<Reply> => shop.post('/search/missed', { text }),
    listMissed: async () => (await shop.callAsAdmin('GET /admin/searches')).body,
    readRows: () => shop.database.kysely.selectFrom('missed_searches').selectAll().execute()
  }
}

describe.each(ENGINES)('Searches without result on %s', engine => {
  test('are counted for the staff by text, without case and spaces around, unless they may tell who searched', async () => {
    const { miss, listMissed, clock } = await openSearchShop(engine)
    for (const text of ['poli', 'Gulab Jamun', ' gulab jamun ', 'a@example.com', '98765 43210'])
      await expectOk(miss(text))
    clock.advance(2 * DAY)
    for (const _ of ['once', 'twice']) await miss('poli')
    expect(await listMissed()).toEqual([
      { text: 'poli', count: 3, lastDay: '2026-11-23' },
      { text: 'gulab jamun', count: 2, lastDay: '2026-11-21' }
    ])
  })

  test('are deleted after 30 days', async () => {
    const { miss, listMissed, readRows, ...shop } = await openSearchShop(engine)
    await miss('poli')
    shop.clock.advance(29 * DAY)
    await deleteExpired(shop)
    expect(await listMissed()).toHaveLength(1)
    shop.clock.advance(DAY)
    expect(await listMissed()).toEqual([])
    await deleteExpired(shop)
    expect(await readRows()).toEqual([])
  })

  test('fill only so much of the database in a day, and 30 times an hour per network', async () => {
    const { miss, readRows, ...shop } = await openSearchShop(engine)
    const day = '2026-11-21'
    const rows = Array.from({ length: 500 }, (_, n) => ({ day, text: `text ${n}`, count: 1 }))
    await shop.write(trx => trx.insertInto('missed_searches').values(rows).execute())
    await miss('one more')
    await miss('text 7')
    expect(await readRows()).toHaveLength(500)
    expect(await readRows()).toContainEqual({ day, text: 'text 7', count: 2 })
    await addAttempts(shop, 27)
    await expectOk(miss('poli'))
    expect((await miss('poli')).status).toBe(429)
  })
})

test('GET /search has the synonyms that the owner has saved, and nothing else of the settings', async () => {
  const shop = await openAdminShop('sqlite')
  const synonyms = 'poli, obbattu'
  await setSettings(shop, { search: { synonyms } })
  const { body } = await shop.get('/search')
  expect(body).toMatchObject({ synonyms })
  expect(Object.keys(body as object).toSorted()).toEqual([
    'bestsellers',
    'categories',
    'collections',
    'contact',
    'synonyms'
  ])
})
