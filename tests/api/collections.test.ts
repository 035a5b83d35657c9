import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminCollection, Collection, CollectionDraft } from '#lib/contract/collections.ts'
import { statusAndCode } from '../support/accounts.ts'
import { openAdminShop, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const DIWALI: Omit<CollectionDraft, 'key'> = {
  name: 'Diwali gifts',
  nameTamil: 'தீபாவளி பரிசுகள்',
  description: 'Boxes for family and friends.',
  picture: { key: 'laddu-00000000', alt: 'A box of laddus' },
  products: ['murukku', 'laddu'],
  hidden: false
}

const create = (shop: AdminShop, draft: Partial<CollectionDraft> = {}): Promise<Reply> =>
  shop.callAsAdmin('POST /admin/collections', { ...DIWALI, key: randomUUID(), ...draft })
const change = (shop: AdminShop, id: string, body: object): Promise<Reply> =>
  shop.callAsAdmin(`PATCH /admin/collections/${id}`, body)
const listPublic = async (shop: AdminShop): Promise<Collection[]> =>
  (await shop.get('/collections')).body as Collection[]

describe.each(ENGINES)('Collections on %s', engine => {
  test('are public in the order of the owner, with their visible products', async () => {
    const shop = await openAdminShop(engine)
    expect(await create(shop)).toMatchObject({
      status: 201,
      body: { id: 'diwali-gifts', version: 1, hiddenAt: null }
    })
    await create(shop, { name: 'Wedding', picture: null, products: ['laddu'] })
    await create(shop, { name: 'Secret', hidden: true })
    await create(shop, { name: 'Empty', products: [] })
    await shop.callAsAdmin('PUT /admin/collections/order', {
      ids: ['wedding', 'secret', 'empty', 'diwali-gifts']
    })
    await shop.changeProduct('murukku', { version: 1, hidden: true })
    expect(await listPublic(shop)).toEqual([
      {
        id: 'wedding',
        name: 'Wedding',
        nameTamil: DIWALI.nameTamil,
        description: DIWALI.description,
        products: ['laddu']
      },
      {
        id: 'diwali-gifts',
        name: 'Diwali gifts',
        nameTamil: DIWALI.nameTamil,
        description: DIWALI.description,
        picture: {
          key: 'laddu-00000000',
          width: 1600,
          height: 1200,
          alt: 'A box of laddus',
          color: '#c08a3e'
        },
        products: ['laddu']
      }
    ])
  })

  test('a change needs the current version, and the products keep their order', async () => {
    const shop = await openAdminShop(engine)
    await create(shop)
    const reply = await change(shop, 'diwali-gifts', {
      version: 1,
      products: ['laddu', 'murukku'],
      name: 'Diwali'
    })
    expect(reply.body).toMatchObject({
      id: 'diwali-gifts',
      name: 'Diwali',
      version: 2,
      products: ['laddu', 'murukku']
    })
    expect(
      statusAndCode(await change(shop, 'diwali-gifts', { version: 1, name: 'Deepavali' }))
    ).toBe('409 EDIT_CONFLICT')
    for (const unknown of [{ products: ['gone'] }, { picture: { key: 'gone', alt: '' } }]) {
      const refused = await change(shop, 'diwali-gifts', { version: 2, ...unknown })
      expect(statusAndCode(refused)).toBe('400 INVALID_INPUT')
    }
  })

  test('a product tells its collections, and changing them changes the collections', async () => {
    const shop = await openAdminShop(engine)
    await create(shop, { products: ['laddu'] })
    await create(shop, { name: 'Wedding', products: ['laddu'] })
    expect((await shop.fetchProduct('laddu')).collections).toEqual(['diwali-gifts', 'wedding'])
    await shop.changeProduct('laddu', { version: 1, collections: ['wedding'] })
    await shop.changeProduct('murukku', { version: 1, collections: ['wedding'] })
    const all = (await shop.callAsAdmin('GET /admin/collections')).body as AdminCollection[]
    expect(all.map(({ id, products, version }) => [id, products, version])).toEqual([
      ['diwali-gifts', [], 2],
      ['wedding', ['laddu', 'murukku'], 2]
    ])
    expect(
      statusAndCode(await shop.changeProduct('laddu', { version: 2, collections: ['gone'] }))
    ).toBe('400 INVALID_INPUT')
  })
})

describe('Collections', () => {
  test('a draft that is sent twice creates one collection', async () => {
    const shop = await openAdminShop('sqlite')
    const key = randomUUID()
    expect([
      (await create(shop, { key })).status,
      (await create(shop, { key, name: 'Diwali' })).status
    ]).toEqual([201, 200])
    expect(await listPublic(shop)).toMatchObject([{ id: 'diwali-gifts', name: 'Diwali' }])
  })

  test('two of one name get different addresses', async () => {
    const shop = await openAdminShop('sqlite')
    await create(shop)
    expect((await create(shop)).body).toMatchObject({ id: 'diwali-gifts-2' })
  })

  test('deleting one keeps its products, deleting a product removes it from its collections', async () => {
    const shop = await openAdminShop('sqlite')
    await create(shop)
    await create(shop, { name: 'Wedding' })
    expect(
      (await shop.callAsAdmin('DELETE /admin/collections/diwali-gifts?version=1')).body
    ).toEqual({
      message: '“Diwali gifts” was deleted'
    })
    await shop.callAsAdmin('DELETE /admin/products/laddu?version=1')
    expect(await listPublic(shop)).toMatchObject([{ id: 'wedding', products: ['murukku'] }])
    expect(await shop.publicProductIds()).toEqual(['murukku'])
  })

  test('an order that does not name all collections is refused', async () => {
    const shop = await openAdminShop('sqlite')
    await create(shop)
    await create(shop, { name: 'Wedding' })
    const reply = await shop.callAsAdmin('PUT /admin/collections/order', { ids: ['wedding'] })
    expect(statusAndCode(reply)).toBe('409 EDIT_CONFLICT')
  })
})
