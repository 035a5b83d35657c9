import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AdminCollection, CollectionDraft } from '#lib/contract/collections.ts'
import { statusAndCode } from '../support/accounts.ts'
import { fieldsOf, openAdminShop } from '../support/admin-products.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'

const DIWALI: Omit<CollectionDraft, 'key'> = {
  name: 'Diwali gifts',
  nameTamil: 'தீபாவளி பரிசுகள்',
  description: 'Boxes for family and friends.',
  picture: { key: 'laddu-00000000', alt: 'A box of laddus' },
  products: ['murukku', 'laddu'],
  hidden: false
}

async function openCollections(engine: Engine) {
  const shop = await openAdminShop(engine)
  return {
    ...shop,
    create: (draft: Partial<CollectionDraft> = {}): Promise<Reply> =>
      shop.callAsAdmin('POST /admin/collections', { ...DIWALI, key: randomUUID(), ...draft }),
    change: (body: object): Promise<Reply> =>
      shop.callAsAdmin('PATCH /admin/collections/diwali-gifts', body),
    order: (...ids: string[]): Promise<Reply> =>
      shop.callAsAdmin('PUT /admin/collections/order', { ids }),
    listPublic: async () => (await shop.get('/collections')).body
  }
}

describe.each(ENGINES)('Collections on %s', engine => {
  test('are public in the order of the owner, with their visible products', async () => {
    const { create, order, listPublic, changeProduct } = await openCollections(engine)
    expect(await create()).toMatchObject({
      status: 201,
      body: { id: 'diwali-gifts', version: 1, hiddenAt: null }
    })
    await create({ name: 'Wedding', picture: null, products: ['laddu'] })
    await create({ name: 'Secret', hidden: true })
    await create({ name: 'Empty', products: [] })
    await order('wedding', 'secret', 'empty', 'diwali-gifts')
    expect(statusAndCode(await order('wedding', 'secret', 'diwali-gifts'))).toBe(
      '409 EDIT_CONFLICT'
    )
    await changeProduct('murukku', { version: 1, hidden: true })
    const { nameTamil, description } = DIWALI
    const texts = { nameTamil, description, products: ['laddu'] }
    const picture = { ...DIWALI.picture, width: 1600, height: 1200, color: '#c08a3e' }
    expect(await listPublic()).toEqual([
      { ...texts, id: 'wedding', name: 'Wedding' },
      { ...texts, id: 'diwali-gifts', name: 'Diwali gifts', picture }
    ])
  })

  test('are changed from their current version, and the products keep their order', async () => {
    const { create, change } = await openCollections(engine)
    const key = randomUUID()
    await create({ key })
    expect(await create({ key, name: 'Diwali' })).toMatchObject({ status: 200 })
    expect((await create()).body).toMatchObject({ id: 'diwali-gifts-2' })
    const changed = { products: ['laddu', 'murukku'], name: 'Deepavali' }
    expect((await change({ version: 2, ...changed })).body).toMatchObject({
      ...changed,
      id: 'diwali-gifts',
      version: 3
    })
    expect(statusAndCode(await change({ version: 2, name: 'Diwali' }))).toBe('409 EDIT_CONFLICT')
    for (const [field, value] of [
      ['products', ['gone']],
      ['picture', { key: 'gone', alt: 'A box' }]
    ] as const)
      expect(fieldsOf(await change({ version: 3, [field]: value }))).toHaveProperty(field)
  })

  test('are told by their products, which change them', async () => {
    const { create, callAsAdmin, changeProduct, fetchProduct } = await openCollections(engine)
    await create({ products: ['laddu'] })
    await create({ name: 'Wedding', products: ['laddu'] })
    expect((await fetchProduct('laddu')).collections).toEqual(['diwali-gifts', 'wedding'])
    await changeProduct('laddu', { version: 1, collections: ['wedding'] })
    await changeProduct('murukku', { version: 1, collections: ['wedding'] })
    const all = (await callAsAdmin('GET /admin/collections')).body as AdminCollection[]
    expect(all.map(({ id, products, version }) => [id, products, version])).toEqual([
      ['diwali-gifts', [], 2],
      ['wedding', ['laddu', 'murukku'], 2]
    ])
    const unknown = await changeProduct('laddu', { version: 2, collections: ['gone'] })
    expect(fieldsOf(unknown)).toHaveProperty('collections')
  })

  test('are deleted without their products, and lose a product that is deleted', async () => {
    const { create, callAsAdmin, listPublic, publicProductIds } = await openCollections(engine)
    await create()
    await create({ name: 'Wedding' })
    expect((await callAsAdmin('DELETE /admin/collections/diwali-gifts?version=1')).body).toEqual({
      message: '“Diwali gifts” was deleted'
    })
    await callAsAdmin('DELETE /admin/products/laddu?version=1')
    expect(await listPublic()).toMatchObject([{ id: 'wedding', products: ['murukku'] }])
    expect(await publicProductIds()).toEqual(['murukku'])
  })
})
