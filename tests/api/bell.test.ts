import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Bell } from '#lib/contract/admin.ts'
import { BELL_KINDS } from '#lib/contract/names.ts'
import { HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { startRings } from '#server/bell/bell.ts'
import { deleteExpired } from '#server/jobs.ts'
import { readIdentity } from '#server/live-shop/live-shop.ts'
import { expectOk, statusAndCode } from '../support/accounts.ts'
import { cancel, openAdminOrdersShop } from '../support/admin-orders.ts'
import { addOwner, makeDevice, makePushService, openBellShop, subscribe } from '../support/bell.ts'
import { addShopper, buy, callAs, type Shopper } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { openCase, remove } from '../support/failed-refunds.ts'
import { openPublishingShop } from '../support/publishing-shop.ts'
import type { Shop } from '../support/shop.ts'

const LADDU = [{ product: 'laddu', quantity: 1 }]

/** Runs the job once and waits for the push services. */
async function ringAll({ app }: Pick<Shop, 'app'>) {
  await Promise.all(await startRings(app))
}

const waiting = async ({ database }: Shop) =>
  (await database.kysely.selectFrom('bell_rings').selectAll().execute()).length

describe.each(ENGINES)('The bell on %s', engine => {
  test('rings once for a paid order, with its number and amount only, also if two processes ring', async () => {
    const { shop, anita, device, sent } = await openBellShop(engine)
    const { _id, orderNumber } = await buy(shop, anita, LADDU)
    await Promise.all([ringAll(shop), ringAll(shop)])
    await ringAll(shop)
    expect(sent).toHaveLength(1)
    const [{ body, headers } = { body: Buffer.of(), headers: {} }] = sent
    expect(device.decrypt(body)).toEqual({
      title: `Order ${orderNumber}: ₹180.50`,
      path: `/admin/orders?order=${_id}`,
      tag: `order-${_id}`
    })
    expect(headers).toMatchObject({ 'Content-Encoding': 'aes128gcm', Urgency: 'high', TTL: 3600 })
    expect(await waiting(shop)).toBe(0)
  })

  test('rings when a shopper cancels, but not when the shop does', async () => {
    const { shop, anita, device, sent, owner } = await openBellShop(engine)
    await subscribe(shop, { ...owner, language: 'ta' }, device, ['cancelled'])
    const first = await buy(shop, anita, LADDU)
    const second = await buy(shop, anita, LADDU)
    await expectOk(callAs(anita, shop, `POST /orders/${first._id}/cancel`))
    const reply = await callAs(owner, shop, `POST /admin/orders/${second._id}/cancel`, {
      from: 'pending',
      reason: 'The oven broke'
    })
    expect(reply.status).not.toBe(404)
    await ringAll(shop)
    expect(sent.map(({ body }) => device.decrypt(body))).toMatchObject([
      {
        title: `ரத்தானது: ${first.orderNumber}, ₹180.50`,
        path: `/ta/admin/orders?order=${first._id}`
      }
    ])
  })

  test('rings when a sale leaves few packs, and a later ring replaces it', async () => {
    const { shop, anita, device, sent } = await openBellShop(engine)
    await buy(shop, anita, [{ product: 'laddu', quantity: 4 }])
    await buy(shop, anita, LADDU)
    await ringAll(shop)
    const low = sent.filter(({ headers }) => headers['Topic'] === 'stock')
    expect(low.map(({ body }) => device.decrypt(body).title)).toEqual(['Low stock: laddu'])
    expect(low[0]?.headers).toMatchObject({ Urgency: 'normal' })
  })

  test('rings only while the session that turned it on lasts, for owners and managers', async () => {
    const { shop, anita, owner, names } = await openBellShop(engine)
    const others = ['logged-out', 'demoted', 'ended', 'kept']
    const staff = new Map<string, Shopper>()
    for (const name of others) staff.set(name, (await addOwner(shop, name, 'manager')).owner)
    const kitchen = await addShopper(shop, 'selvi', 'kitchen')
    expect(statusAndCode(await subscribe(shop, kitchen, makeDevice('kitchen')))).toBe(
      '403 FORBIDDEN'
    )
    const idOf = (name: string) => staff.get(name)?.id ?? ''
    await callAs(staff.get('logged-out') ?? owner, shop, 'POST /auth/logout')
    await expectOk(
      callAs(owner, shop, `POST /admin/users/${idOf('demoted')}/staff`, {
        from: 'manager',
        to: 'kitchen'
      })
    )
    await expectOk(callAs(owner, shop, `POST /admin/users/${idOf('ended')}/logout`))
    await buy(shop, anita, LADDU)
    await ringAll(shop)
    expect(names().toSorted()).toEqual(['kept', 'phone'])
    await deleteExpired(shop.app)
    expect(
      await shop.database.kysely.selectFrom('bell_devices').select('id').execute()
    ).toHaveLength(2)
  })
})

describe('The bell', () => {
  test('signs for the push service with the key that browsers get (RFC 8292)', async () => {
    const { shop, owner, sent } = await openBellShop()
    await expectOk(callAs(owner, shop, 'POST /admin/bell/test'))
    await ringAll(shop)
    const { body } = await callAs(owner, shop, 'GET /admin/bell')
    const { key } = body as Bell
    const found = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(
      sent[0]?.headers['Authorization'] ?? ''
    )
    const [, head = '', claims = '', signature = '', sender] = found ?? []
    expect(sender).toBe(key)
    const point = Buffer.from(key, 'base64url')
    const toText = (part: Buffer) => part.toString('base64url')
    const [x, y] = [toText(point.subarray(1, 33)), toText(point.subarray(33))] as const
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const signed = Buffer.from(`${head}.${claims}`)
    const dsa = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', signed, dsa, Buffer.from(signature, 'base64url'))).toBe(true)
    const { aud, sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >
    expect([aud, sub]).toEqual([
      'https://fcm.googleapis.com',
      expect.stringMatching(/^mailto:\S+@/)
    ])
    expect(Number(exp)).toBeLessThanOrEqual(Date.now() / SECOND + 24 * 3600)
  })

  test('lists only the own devices, and silences one of them', async () => {
    const { shop, owner, anita, names } = await openBellShop()
    const { owner: manager } = await addOwner(shop, 'tablet', 'manager')
    const { body } = await callAs(owner, shop, 'GET /admin/bell')
    const { devices } = body as Bell
    expect(devices).toMatchObject([{ label: 'Chrome on Android', isThis: true, kinds: BELL_KINDS }])
    const id = devices[0]?.id ?? ''
    const others = (await callAs(manager, shop, `DELETE /admin/bell/${id}`)).body as Bell
    expect(others.devices).toHaveLength(1)
    const left = (await callAs(owner, shop, `DELETE /admin/bell/${id}`)).body as Bell
    expect(left.devices).toEqual([])
    await buy(shop, anita, LADDU)
    await ringAll(shop)
    expect(names()).toEqual(['tablet'])
  })

  test('has one subscription per session, also after the browser has renewed it', async () => {
    const { shop, owner, anita, names } = await openBellShop()
    await subscribe(shop, owner, makeDevice('renewed'), ['order'])
    await buy(shop, anita, LADDU)
    await ringAll(shop)
    expect(names()).toEqual(['renewed'])
  })

  test('delays neither mails nor other devices if a push service hangs', async () => {
    const { shop, anita, replies, names } = await openBellShop()
    await addOwner(shop, 'fast')
    replies['phone'] = 'hangs'
    await buy(shop, anita, LADDU)
    void startRings(shop.app)
    await expect.poll(() => names().toSorted()).toEqual(['fast', 'phone'])
    await expect.poll(() => waiting(shop)).toBe(1)
    await shop.deliverMails()
    expect(shop.mails.map(({ subject }) => subject).join()).toContain('₹180.50 from')
    await buy(shop, anita, LADDU)
    void startRings(shop.app)
    await expect.poll(() => names().filter(name => name === 'fast')).toHaveLength(2)
  })

  test.for([404, 410])('forgets a device that is gone (%d)', async status => {
    const { shop, anita, replies, owner } = await openBellShop()
    replies['phone'] = status
    await buy(shop, anita, LADDU)
    await ringAll(shop)
    expect((await callAs(owner, shop, 'GET /admin/bell')).body).toMatchObject({ devices: [] })
    expect(await waiting(shop)).toBe(0)
  })

  test.for([400, 403, 413, 301])(
    'drops what the push service refuses (%d), and keeps the device',
    async status => {
      const { shop, anita, replies, owner } = await openBellShop()
      replies['phone'] = status
      await buy(shop, anita, LADDU)
      await ringAll(shop)
      expect(await waiting(shop)).toBe(0)
      expect((await callAs(owner, shop, 'GET /admin/bell')).body).toMatchObject({ devices: [{}] })
    }
  )

  test('is tried again ever later for an hour, and as late as the push service asks', async () => {
    const { shop, anita, replies, sent } = await openBellShop()
    replies['phone'] = { status: 429, retryAfter: '120' }
    await buy(shop, anita, LADDU)
    await ringAll(shop)
    replies['phone'] = 500
    for (const [wait, attempts] of [
      [119, 1],
      [1, 2],
      [119, 2],
      [1, 3],
      [239, 3],
      [1, 4]
    ] as const) {
      shop.clock.advance(wait * SECOND)
      await ringAll(shop)
      expect(sent).toHaveLength(attempts)
    }
    for (let minutes = 0; minutes < 90; minutes += 5) {
      shop.clock.advance(5 * MINUTE)
      await ringAll(shop)
    }
    expect(sent).toHaveLength(6)
    expect(await waiting(shop)).toBe(0)
  })

  test('is silent in a copy of the shop, and forgets after an hour', async () => {
    const { shop, anita, sent } = await openBellShop()
    await buy(shop, anita, LADDU)
    const { site_url } = await readIdentity(shop.database.kysely)
    await shop.write(trx => trx.updateTable('shop_identity').set({ site_url: null }).execute())
    await ringAll(shop)
    expect([sent.length, await waiting(shop)]).toEqual([0, 1])
    shop.clock.advance(HOUR)
    await deleteExpired(shop.app)
    await shop.write(trx => trx.updateTable('shop_identity').set({ site_url }).execute())
    await ringAll(shop)
    expect([sent.length, await waiting(shop)]).toEqual([0, 0])
  })

  test('rings when a refund fails', async () => {
    const found = await openCase()
    const { push, sent } = makePushService()
    found.shop.app.push = push
    const { device } = await addOwner(found.shop)
    await remove(found, 1, 1)
    await found.shop.sandbox.setFaults({ refundFail: 1 })
    for (let hours = 0; hours < 8; hours++) {
      await found.shop.reconcile()
      await found.shop.deliverWebhooks()
      await ringAll(found.shop)
      found.shop.clock.advance(HOUR)
    }
    await found.shop.sandbox.setFaults({})
    expect(sent.map(({ body }) => device.decrypt(body))).toMatchObject([
      { title: 'A refund of ₹120.00 failed', path: `/admin/orders?order=${found.id}` }
    ])
  })

  test('rings once while the website can’t be published, and again for the next failure', async () => {
    const { shop, publisher, rebuild, runJob } = await openPublishingShop('sqlite')
    const { push, sent } = makePushService()
    shop.app.push = push
    const { device } = await addOwner(shop)
    const publishAll = async (outcomes: string) => {
      for (const outcome of outcomes) {
        publisher.beforeRender(async () => {
          if (outcome === '-') throw new Error('No memory left')
        })
        publisher.clock.advance(SECOND)
        await publisher.changeContent(`${outcome}${publisher.clock()}`)
        await rebuild()
        await runJob()
        await ringAll(shop)
      }
    }
    await publishAll('+--')
    expect(sent.map(({ body }) => device.decrypt(body).title)).toEqual([
      'The website is not up to date'
    ])
    await publishAll('+-')
    expect(sent).toHaveLength(2)
  })
})

test('The count of orders is answered without a body while it is the same', async () => {
  const shop = await openAdminOrdersShop()
  const selvi = await addShopper(shop, 'selvi', 'kitchen')
  const count = (tag?: string) =>
    shop.get('/admin/kitchen/order-count', {
      authorization: `Bearer ${selvi.token}`,
      ...(tag !== undefined && { 'if-none-match': tag })
    })
  expect((await count()).body).toEqual({ orders: 0 })
  expect(await count('"0"')).toMatchObject({ status: 304, text: '' })
  await buy(shop, shop.anita)
  const second = await buy(shop, shop.anita)
  await cancel(shop, second._id)
  expect(await count('"0"')).toMatchObject({ status: 200, body: { orders: 2 } })
})
