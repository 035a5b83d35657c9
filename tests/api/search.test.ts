import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const miss = (shop: Shop, text: string): Promise<Reply> => shop.post('/search/missed', { text })
async function listMissed(shop: Shop): Promise<unknown> {
  const { token } = await logInAsAdmin(shop)
  return (await call(shop, 'GET /admin/searches', { token })).body
}
const keep = (shop: Shop): Promise<void> => deleteExpired(shop)

describe.each(ENGINES)('Searches without result on %s', engine => {
  test('are counted by text for the staff, without case and spaces around', async () => {
    const shop = await openShop(engine)
    for (const text of ['poli', 'Gulab Jamun', ' gulab jamun '])
      expect((await miss(shop, text)).status).toBe(200)
    shop.clock.advance(2 * DAY)
    await miss(shop, 'poli')
    await miss(shop, 'poli')
    expect(await listMissed(shop)).toEqual([
      { text: 'poli', count: 3, lastDay: '2026-11-23' },
      { text: 'gulab jamun', count: 2, lastDay: '2026-11-21' }
    ])
  })

  test('are deleted after 30 days', async () => {
    const shop = await openShop(engine)
    await miss(shop, 'poli')
    shop.clock.advance(29 * DAY)
    await keep(shop)
    expect(await listMissed(shop)).toHaveLength(1)
    shop.clock.advance(DAY)
    expect(await listMissed(shop)).toEqual([])
    await keep(shop)
    expect(await shop.database.kysely.selectFrom('missed_searches').selectAll().execute()).toEqual(
      []
    )
  })

  test('fill only so much of the database in a day', async () => {
    const shop = await openShop(engine)
    const rows = Array.from({ length: 500 }, (_, n) => ({
      day: '2026-11-21',
      text: `text ${n}`,
      count: 1
    }))
    await shop.write(trx => trx.insertInto('missed_searches').values(rows).execute())
    await miss(shop, 'one more')
    await miss(shop, 'text 7')
    const stored = await shop.database.kysely.selectFrom('missed_searches').selectAll().execute()
    expect(stored).toHaveLength(500)
    expect(stored).toContainEqual({ day: '2026-11-21', text: 'text 7', count: 2 })
  })
})

describe('Searches without result', () => {
  test('are not stored if they may tell who searched', async () => {
    const shop = await openShop('sqlite')
    for (const text of ['anita@example.com', '98765 43210']) await miss(shop, text)
    expect(await listMissed(shop)).toEqual([])
  })

  test('of one network count up to 30 times an hour', async () => {
    const shop = await openShop('sqlite')
    for (let n = 0; n < 30; n++) await miss(shop, 'poli')
    expect((await miss(shop, 'poli')).status).toBe(429)
    shop.clock.advance(HOUR)
    expect((await miss(shop, 'poli')).status).toBe(200)
  })
})

describe('GET /search', () => {
  test('has the synonyms that the owner has saved, and nothing else of the settings', async () => {
    const shop = await openShop('sqlite')
    const { token } = await logInAsAdmin(shop)
    const body = { value: { synonyms: 'poli, obbattu' }, version: 0 }
    await call(shop, 'PUT /admin/settings/search', { token, body })
    expect(await shop.get('/search')).toMatchObject({
      status: 200,
      body: { synonyms: 'poli, obbattu' }
    })
    expect(Object.keys((await shop.get('/search')).body as object).toSorted()).toEqual([
      'bestsellers',
      'categories',
      'collections',
      'contact',
      'synonyms'
    ])
  })
})
