import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Bell } from '#lib/contract/admin.ts'
import { BELL_KINDS } from '#lib/contract/names.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { startRings } from '#server/bell/bell.ts'
import { deleteExpired } from '#server/jobs.ts'
import { readIdentity } from '#server/live-shop/live-shop.ts'
import { ADMIN, expectOk, expectOutcome } from '../support/accounts.ts'
import { cancel, openAdminOrdersShop } from '../support/admin-orders.ts'
import { addOwner, makeDevice, makePushService, openBellShop, subscribe } from '../support/bell.ts'
import { addShopper, buy, callAs } from '../support/checkout.ts'
import { type Engine, ENGINES } from '../support/database.ts'
import { openCase, remove } from '../support/failed-refunds.ts'
import { openPublishingShop } from '../support/publishing-shop.ts'
import type { Shop } from '../support/shop.ts'

/** Runs the job once and waits for the push services. */
async function ringAll({ app }: Pick<Shop, 'app'>) {
  await Promise.all(await startRings(app))
}

async function openBell(engine?: Engine) {
  const bell = await openBellShop(engine)
  const { shop, anita, owner, device, sent } = bell
  const sell = (quantity = 1) => buy(shop, anita, [{ product: 'laddu', quantity }])
  return Object.assign(bell, {
    sell,
    async sellAndRing(quantity?: number) {
      await sell(quantity)
      await ringAll(shop)
    },
    read: async () => (await callAs(owner, shop, 'GET /admin/bell')).body as Bell,
    messages: () => sent.map(({ body }) => device.decrypt(body)),
    waiting: async () =>
      (await shop.database.kysely.selectFrom('bell_rings').selectAll().execute()).length
  })
}

describe.each(ENGINES)('The bell on %s', engine => {
  test('rings once for a paid order, with its number and amount only, also if two processes ring', async () => {
    const { shop, sell, sent, messages, waiting } = await openBell(engine)
    const { _id, orderNumber } = await sell()
    await Promise.all([ringAll(shop), ringAll(shop)])
    await ringAll(shop)
    expect(messages()).toEqual([
      {
        title: `Order ${orderNumber}: ₹180.50`,
        path: `/admin/orders?order=${_id}`,
        tag: `order-${_id}`
      }
    ])
    const headers = { 'Content-Encoding': 'aes128gcm', Urgency: 'high', TTL: 3600 }
    expect(sent).toMatchObject([{ headers }])
    expect(await waiting()).toBe(0)
  })

  test('rings when a shopper cancels, but not when the shop does', async () => {
    const { shop, anita, device, owner, sell, messages } = await openBell(engine)
    await subscribe(shop, { ...owner, language: 'ta' }, device, ['cancelled'])
    const [first, second] = [await sell(), await sell()]
    await expectOk(callAs(anita, shop, `POST /orders/${first._id}/cancel`))
    const body = { from: 'pending', reason: 'Sold out', proof: { password: ADMIN.password } }
    await expectOk(shop.callAsAdmin(`POST /admin/orders/${second._id}/cancel`, body))
    await ringAll(shop)
    expect(messages()).toMatchObject([
      {
        title: `ரத்தானது: ${first.orderNumber}, ₹180.50`,
        path: `/ta/admin/orders?order=${first._id}`
      }
    ])
  })

  test('rings when a sale leaves few packs, and a later ring replaces it', async () => {
    const { sell, sellAndRing, sent, messages } = await openBell(engine)
    await sell(4)
    await sellAndRing()
    const low = sent.findIndex(({ headers }) => headers['Topic'] === 'stock')
    expect(sent[low]?.headers).toMatchObject({ Urgency: 'normal' })
    expect(messages()[low]?.title).toBe('Low stock: laddu')
    expect(sent).toHaveLength(3)
  })

  test('rings only while the session that turned it on lasts, for owners and managers', async () => {
    const { shop, owner, sellAndRing, names } = await openBell(engine)
    const [left, demoted, ended] = [
      (await addOwner(shop, 'left', 'manager')).owner,
      (await addOwner(shop, 'demoted', 'manager')).owner,
      (await addOwner(shop, 'ended', 'manager')).owner
    ]
    await addOwner(shop, 'kept', 'manager')
    const kitchen = await addShopper(shop, 'selvi', 'kitchen')
    await expectOutcome(subscribe(shop, kitchen, makeDevice('kitchen')), '403 FORBIDDEN')
    await callAs(left, shop, 'POST /auth/logout')
    const change = { from: 'manager', to: 'kitchen' }
    await expectOk(callAs(owner, shop, `POST /admin/users/${demoted.id}/staff`, change))
    await expectOk(callAs(owner, shop, `POST /admin/users/${ended.id}/logout`))
    await sellAndRing()
    expect(names().toSorted()).toEqual(['kept', 'phone'])
    await deleteExpired(shop.app)
    const devices = shop.database.kysely.selectFrom('bell_devices').select('id')
    expect(await devices.execute()).toHaveLength(2)
  })
})

describe('The bell', () => {
  test('signs for the push service with the key that browsers get (RFC 8292)', async () => {
    const { shop, owner, sent, read } = await openBell()
    await expectOk(callAs(owner, shop, 'POST /admin/bell/test'))
    await ringAll(shop)
    const { key } = await read()
    const [, head = '', claims = '', signature = '', sender] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(
        sent[0]?.headers['Authorization'] ?? ''
      ) ?? []
    expect(sender).toBe(key)
    const point = Buffer.from(key, 'base64url')
    const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map(part =>
      part.toString('base64url')
    )
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const dsa = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    const signed = Buffer.from(`${head}.${claims}`)
    expect(verify('sha256', signed, dsa, Buffer.from(signature, 'base64url'))).toBe(true)
    const sentClaims = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }
    expect(sentClaims).toMatchObject({
      aud: 'https://fcm.googleapis.com',
      sub: expect.stringMatching(/^mailto:\S+@/)
    })
    expect(sentClaims.exp).toBeLessThanOrEqual((Date.now() + DAY) / SECOND)
  })

  test('lists only the own devices, and silences one of them', async () => {
    const { shop, owner, sellAndRing, read, names } = await openBell()
    const { owner: manager } = await addOwner(shop, 'tablet', 'manager')
    const { devices } = await read()
    expect(devices).toMatchObject([{ label: 'Chrome on Android', isThis: true, kinds: BELL_KINDS }])
    const remove = `DELETE /admin/bell/${devices[0]?.id}`
    expect((await callAs(manager, shop, remove)).body).toMatchObject({ devices: [{}] })
    expect(await read()).toMatchObject({ devices })
    expect((await callAs(owner, shop, remove)).body).toMatchObject({ devices: [] })
    await sellAndRing()
    expect(names()).toEqual(['tablet'])
  })

  test('has one subscription per session, also after the browser has renewed it', async () => {
    const { shop, owner, sellAndRing, names } = await openBell()
    await subscribe(shop, owner, makeDevice('renewed'), ['order'])
    await sellAndRing()
    expect(names()).toEqual(['renewed'])
  })

  test('delays neither mails nor other devices if a push service hangs', async () => {
    const { shop, sell, replies, names, waiting } = await openBell()
    await addOwner(shop, 'fast')
    replies['phone'] = 'hangs'
    await sell()
    void startRings(shop.app)
    await expect.poll(() => names().toSorted()).toEqual(['fast', 'phone'])
    await expect.poll(waiting).toBe(1)
    await shop.deliverMails()
    expect(shop.mails.map(({ subject }) => subject).join()).toContain('₹180.50 from')
    await sell()
    void startRings(shop.app)
    await expect.poll(() => names().filter(name => name === 'fast')).toHaveLength(2)
  })

  test.for([
    [404, []],
    [410, []],
    [400, [{}]],
    [403, [{}]],
    [413, [{}]],
    [301, [{}]]
  ] as const)(
    'drops what the push service refuses (%d), and forgets only a device that is gone',
    async ([status, devices]) => {
      const { replies, sellAndRing, read, waiting } = await openBell()
      replies['phone'] = status
      await sellAndRing()
      expect(await read()).toMatchObject({ devices })
      expect(await waiting()).toBe(0)
    }
  )

  test('is tried again ever later for an hour, and as late as the push service asks', async () => {
    const { shop, replies, sent, sellAndRing, waiting } = await openBell()
    const ringAfter = async (ms: number) => {
      shop.clock.advance(ms)
      await ringAll(shop)
    }
    replies['phone'] = { status: 429, retryAfter: '120' }
    await sellAndRing()
    replies['phone'] = 500
    for (const [wait, attempts] of [
      [119, 1],
      [1, 2],
      [119, 2],
      [1, 3],
      [239, 3],
      [1, 4]
    ] as const) {
      await ringAfter(wait * SECOND)
      expect(sent).toHaveLength(attempts)
    }
    for (let minutes = 0; minutes < 90; minutes += 5) await ringAfter(5 * MINUTE)
    expect(sent).toHaveLength(6)
    expect(await waiting()).toBe(0)
  })

  test('is silent in a copy of the shop, and forgets after an hour', async () => {
    const { shop, sent, sell, waiting } = await openBell()
    await sell()
    const { site_url } = await readIdentity(shop.database.kysely)
    const setUrl = (url: string | null) =>
      shop.write(trx => trx.updateTable('shop_identity').set({ site_url: url }).execute())
    await setUrl(null)
    await ringAll(shop)
    expect([sent.length, await waiting()]).toEqual([0, 1])
    shop.clock.advance(HOUR)
    await deleteExpired(shop.app)
    await setUrl(site_url)
    await ringAll(shop)
    expect([sent.length, await waiting()]).toEqual([0, 0])
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
