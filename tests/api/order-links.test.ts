import { expect, test } from 'vitest'
import type { LinkedOrder, OrderLink } from '#lib/contract/orders.ts'
import { DAY, SECOND, STATUS_MAIL_DELAY } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import { call, deleteAccount, expectOutcome, register } from '../support/accounts.ts'
import { withAdmin } from '../support/admin-products.ts'
import { buy, callAs, LEMONS, openCheckoutShop, openPayment } from '../support/checkout.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import type { ShopOptions } from '../support/shop.ts'

const GONE = '404 ORDER_LINK_INVALID'

async function openLinkShop(engine: Engine = 'sqlite', options: ShopOptions = {}) {
  const products = { lemon: { category: 'pickles', price: 120 } } as const
  const shop = await withAdmin(await openCheckoutShop(engine, { ...options, products }))
  const { token, user } = await register(shop)
  const anita = { id: user._id, name: user.name, token }
  const { _id: id, orderNumber } = await buy(shop, anita, LEMONS, {
    shippingAddress: {
      street: '14 Nandi Koil Street',
      landmark: 'Opposite the temple',
      city: 'Srirangam',
      state: 'Tamil Nadu',
      pincode: '620006',
      country: 'India'
    }
  })
  return {
    ...{ shop, anita, id, orderNumber },
    link: async (renew = false) =>
      (await callAs(anita, shop, `POST /orders/${id}/link`, { renew })).body as OrderLink,
    renewAsShop: () => shop.callAsAdmin(`POST /admin/orders/${id}/link`, { renew: true }),
    async move(...steps: [from: string, to: string, shipment?: object][]) {
      for (const [from, to, shipment] of steps)
        await shop.callAsAdmin(`POST /admin/orders/${id}/move`, { from, to, shipment })
    },
    open: (link: string) =>
      call(shop, 'POST /orders/by-link', { body: { token: link.split('#')[1] } }),
    async linksInMails() {
      await shop.deliverMails()
      const texts = shop.mails.filter(({ to }) => to === 'anita@example.com').map(m => m.text)
      return texts.flatMap(text => /\S+\/orders\/link#[\w-]{43}/.exec(text) ?? [])
    }
  }
}

test.for(ENGINES)(
  'An order’s link shows what, when and how far, and no more, on %s',
  async engine => {
    const { shop, move, orderNumber, open, linksInMails } = await openLinkShop(engine)
    const wishes = { note: 'Ring at Velu’s door', event_at: '2026-12-01T18:30' }
    await shop.database.kysely
      .updateTable('orders')
      .set({ ...wishes, delivery_method: 'courier' })
      .execute()
    const shipment = { courier: 'ST Courier', trackingNumber: 'ST4711', trackingLink: '' }
    await move(['pending', 'packed'], ['packed', 'shipped', shipment])
    const [link = ''] = await linksInMails()
    const { status, body, text } = await open(link)
    expect(status).toBe(200)
    const order = body as LinkedOrder
    expect(Object.keys(order).toSorted()).toEqual([
      ...['createdAt', 'deliveryDate', 'deliveryMethod', 'history', 'items', 'orderNumber'],
      ...['paymentStatus', 'shippingAddress', 'status', 'totalAmount']
    ])
    expect(order).toMatchObject({
      orderNumber,
      shippingAddress: { city: 'Srirangam' },
      totalAmount: 240
    })
    expect(order.items.map(item => Object.keys(item).toSorted())).toEqual([
      ['listPrice', 'packSize', 'price', 'product', 'quantity']
    ])
    expect(order.history.map(step => step.status)).toEqual(['pending', 'packed', 'shipped'])
    expect(text).not.toMatch(/anita|98765|Nandi|temple|6200|Velu|18:30|ST4711|pay_|order_|PG\//i)
  }
)

test.for(ENGINES)('All mails have the same link until a new one revokes it on %s', async engine => {
  const { shop, move, renewAsShop, open, link, linksInMails } = await openLinkShop(engine)
  await move(['pending', 'packed'])
  shop.clock.advance(STATUS_MAIL_DELAY)
  const links = await linksInMails()
  const { link: first, expiresAt } = await link()
  expect(links).toEqual([first, first])
  expect(Date.parse(expiresAt)).toBe(shop.clock() - STATUS_MAIL_DELAY + 90 * DAY)
  const { link: second } = await link(true)
  await expectOutcome(open(first), GONE)
  await expectOutcome(open(second), '200')
  const { link: third } = (await renewAsShop()).body as OrderLink
  await expectOutcome(open(second), GONE)
  await expectOutcome(open(third), '200')
  expect((await link()).link).toBe(third)
})

test.for(ENGINES)('A link ends after 90 days, and the next one is another on %s', async engine => {
  const { shop, open, link } = await openLinkShop(engine)
  const { link: old } = await link()
  shop.clock.advance(90 * DAY - SECOND)
  await expectOutcome(open(old), '200')
  shop.clock.advance(SECOND)
  await expectOutcome(open(old), GONE)
  await deleteExpired(shop.app)
  const rows = await shop.database.kysely.selectFrom('order_links').selectAll().execute()
  expect(rows).toEqual([])
})

test('The link of a restored shop without its secret is replaced when a mail needs it', async () => {
  const { shop, open, link } = await openLinkShop('sqlite', { hasOwnApp: true })
  const { link: old } = await link()
  shop.app.codeSecret = Buffer.from('another')
  await expectOutcome(open(old), '200')
  const { link: next } = await link()
  expect(next).not.toBe(old)
  await expectOutcome(open(old), GONE)
  await expectOutcome(open(next), '200')
})

test('A link is nowhere but in its mail: a token is neither stored nor logged, and no session', async () => {
  const lines: string[] = []
  const logTarget = { write: (line: string) => void lines.push(line) }
  const { shop, id, open, link, linksInMails } = await openLinkShop('sqlite', { logTarget })
  await linksInMails()
  const token = (await link(true)).link.split('#')[1] ?? ''
  await expectOutcome(open(`#${token}`), '200')
  await expectOutcome(open(`#${token}x`), GONE)
  await expectOutcome(
    call(shop, 'POST /orders/by-link', { body: { token: [token] } }),
    '400 INVALID_INPUT'
  )
  for (const line of [`POST /orders/${id}/cancel`, `GET /orders/${id}`, 'GET /orders/my-orders'])
    await expectOutcome(call(shop, line, { token }), '401 UNAUTHORIZED')
  expect(lines.join('')).toContain('/api/orders/by-link')
  expect(lines.join('')).not.toContain(token)
  for (const table of ['order_links', 'outbox'] as const) {
    const rows = await shop.database.kysely.selectFrom(table).selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${token}|link#`))
  }
})

test('Only the owner of a paid order gets its link', async () => {
  const { shop, anita, id } = await openLinkShop()
  const unpaid = await openPayment(shop, anita, { items: LEMONS })
  const body = { renew: false }
  const { token } = await register(shop, { email: 'bala@example.com' })
  for (const [user, order, outcome] of [
    [{ token }, id, '404 ORDER_NOT_FOUND'],
    [{}, id, '401 UNAUTHORIZED'],
    [{ token: anita.token }, unpaid.orderId, '404 ORDER_NOT_FOUND']
  ] as const)
    await expectOutcome(call(shop, `POST /orders/${order}/link`, { ...user, body }), outcome)
})

test('The link of a delivered order ends with the account', async () => {
  const { shop, anita, move, renewAsShop, open, link } = await openLinkShop()
  const { link: old } = await link()
  await move(['pending', 'packed'], ['packed', 'delivered'])
  shop.clock.advance(STATUS_MAIL_DELAY)
  await shop.deliverMails()
  await expectOutcome(open(old), '200')
  await deleteAccount(shop, anita)
  await expectOutcome(open(old), GONE)
  await expectOutcome(renewAsShop(), '404 ORDER_NOT_FOUND')
  expect(await shop.database.kysely.selectFrom('order_links').selectAll().execute()).toEqual([])
})
