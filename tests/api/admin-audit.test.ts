import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '#lib/contract/admin.ts'
import { MINUTE } from '#lib/time.ts'
import { record, type Change } from '#server/accounts/audit.ts'
import { logInAsAdmin, call } from '../support/accounts.ts'
import { addShopper } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

const recordChange = (shop: Shop, fields: Partial<Change>): Promise<void> =>
  shop.write(trx =>
    record(trx, {
      actor: { _id: 'u-1', name: 'Meena' },
      at: new Date(shop.clock()).toISOString(),
      kind: 'product',
      id: 'laddu',
      action: 'changed',
      ...fields
    })
  )

describe.each(ENGINES)('GET /admin/audit on %s', engine => {
  test('shows managers nothing about roles, backups, owner-only settings and payments without an order', async () => {
    const shop = await openShop(engine)
    const owner = await logInAsAdmin(shop)
    const manager = await addShopper(shop, 'mani', 'manager')
    for (const id of ['legal', 'tax', 'mail', 'shop', 'orders'])
      await recordChange(shop, { kind: 'settings', id })
    for (const action of ['role changed', 'backed up'])
      await recordChange(shop, { kind: 'user', id: 'u-2', action })
    for (const action of ['refund', 'keep', 'cancelled'])
      await recordChange(shop, { kind: 'order', id: 'o-1', action })
    const listFor = async ({ token }: { token: string }, query = ''): Promise<string[]> =>
      ((await call(shop, `GET /admin/audit${query}`, { token })).body as AuditEntry[])
        .map(({ kind, subject, action }) => `${kind} ${subject} ${action}`)
        .toSorted()
    expect(await listFor(manager)).toEqual([
      'order o-1 cancelled',
      'settings orders changed',
      'settings shop changed'
    ])
    expect(await listFor(manager, '?kind=settings&id=legal')).toEqual([])
    expect(await listFor(owner)).toHaveLength(10)
  })

  test('returns what changed on one item, with old and new values, newest first', async () => {
    const shop = await openShop(engine)
    const { token } = await logInAsAdmin(shop)
    await recordChange(shop, {
      before: { price: 180, name: 'Laddu' },
      after: { price: 200, name: 'Laddu' }
    })
    shop.clock.advance(MINUTE)
    await recordChange(shop, {
      kind: 'stock',
      actor: null,
      before: { stock: 3 },
      after: { stock: 2 }
    })
    await recordChange(shop, { id: 'murukku', action: 'created', after: { name: 'Murukku' } })
    const { body } = await call(shop, 'GET /admin/audit?kind=product,stock&id=laddu', { token })
    const changes = (body as AuditEntry[]).map(({ kind, actor, before, after }) => [
      kind,
      actor.name,
      before,
      after
    ])
    expect(changes).toEqual([
      ['stock', 'The shop', { stock: 3 }, { stock: 2 }],
      ['product', 'Meena', { price: 180 }, { price: 200 }]
    ])
    const unchanged = { ingredients: ['Rice'] }
    await recordChange(shop, { before: unchanged, after: { ...unchanged } })
    expect((await call(shop, 'GET /admin/audit', { token })).body).toHaveLength(3)
  })
})
