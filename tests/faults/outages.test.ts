import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { expectOk } from '../support/accounts.ts'
import {
  addShopper,
  buy,
  myOrders,
  openLemonShop,
  openPayment,
  orderOf,
  placeOrder,
  requestPayment,
  setProviderTimeout,
  type CheckoutShop
} from '../support/checkout.ts'
import { openEmptyDatabase } from '../support/database.ts'
import { prepareDatabase, runStatement } from '../support/prepare-database.ts'
import type { Reply } from '../support/shop.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 100 } } as const
const items = [{ product: 'lemon', quantity: 1 }]
const amount = 120

/** With a database that other connections can open. */
async function openShopOn(engine: 'sqlite' | 'postgres') {
  const database = await openEmptyDatabase(engine)
  await prepareDatabase(database.database)
  return { ...(await openLemonShop(engine, { products, database })), url: database.url }
}

async function countWaitingWebhooks({ sandbox }: CheckoutShop) {
  return Number((await sandbox.control('GET', '/events')).body['waiting'])
}

/** Simulates a full disk: the file cannot become larger, and its free space is filled. */
async function fillDisk({ database: { kysely } }: CheckoutShop) {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(kysely)
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(kysely)
  const at = new Date(0).toISOString()
  await insertUntilFull(id =>
    sql`insert into outbox (id, payload, state, attempts, next_at, created_at)
      values (${id}, ${'x'.repeat(300)}, 'sent', 1, ${at}, ${at})`.execute(kysely)
  )
  await insertUntilFull(id =>
    sql`insert into webhook_events (id, payment_id, type, attempts, received_at)
      values (${id}, ${id}, 'payment.captured', 0, ${at})`.execute(kysely)
  )
}

async function insertUntilFull(insert: (id: string) => Promise<unknown>) {
  for (let failures = 0; failures < 30;) {
    const isInserted = await insert(`evt_${randomUUID().slice(0, 14)}`).then(
      () => true,
      () => false
    )
    failures = isInserted ? 0 : failures + 1
  }
}

test('while the disk is full, writes fail with 503, and a payment becomes an order after space is freed', async () => {
  const { shop, anita } = await openShopOn('sqlite')
  const others = await Promise.all(Array.from({ length: 19 }, () => addShopper(shop)))
  const { id } = await openPayment(shop, anita, { items })
  const proof = await shop.sandbox.pay(id)
  await fillDisk(shop)
  expect(await placeOrder(shop, anita, proof)).toMatchObject({ status: 503 })
  await shop.deliverWebhooks()
  expect(await countWaitingWebhooks(shop)).toBeGreaterThan(0)
  await expectOk(shop.get('/products'))
  const send = () =>
    Promise.all(others.map(other => requestPayment(shop, other, { items, amount })))
  expect((await send()).map(({ status }) => status)).toContain(503)

  await sql`pragma max_page_count = 1073741823`.execute(shop.database.kysely)
  shop.clock.advance(MINUTE)
  await shop.deliverWebhooks()
  expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
  expect(new Set((await send()).map(({ status }) => status))).toEqual(new Set([200]))
})

test('no order is lost when PostgreSQL closes all connections, and failed calls succeed on retry', async () => {
  const { shop, url } = await openShopOn('postgres')
  const shoppers = await Promise.all(Array.from({ length: 8 }, () => addShopper(shop)))
  const statuses = new Set<number>()
  const retry = async (send: () => Promise<Reply>) => {
    for (;;) {
      const reply = await send()
      statuses.add(reply.status)
      if (reply.status !== 503) return reply
    }
  }
  const buying = shoppers.map(async shopper => {
    const key = randomUUID()
    const checkout = await retry(() => requestPayment(shop, shopper, { items, amount, key }))
    const proof = await shop.sandbox.pay((checkout.body as { id: string }).id)
    return retry(() => placeOrder(shop, shopper, proof))
  })
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${new URL(url).pathname.slice(1)}'`
  for (let round = 0; round < 8; round++) {
    await wait(20)
    await runStatement(inject('postgres').url, end)
  }
  await Promise.all(buying)
  expect([...statuses].filter(status => ![200, 201, 202, 503].includes(status))).toEqual([])
  await shop.deliverWebhooks()
  for (const shopper of shoppers)
    expect(await myOrders(shop, shopper)).toMatchObject([{ status: 'pending' }])
})

test('calls that do not need the provider are not delayed while the provider hangs', async () => {
  const { shop } = await openLemonShop('sqlite', { products })
  const shoppers = await Promise.all(Array.from({ length: 20 }, () => addShopper(shop)))
  await shop.sandbox.control('PUT', '/faults', { hang: 1 })
  setProviderTimeout(shop, SECOND)
  let replyCount = 0
  const pendingCalls = shoppers.map(async shopper => {
    const { status } = await requestPayment(shop, shopper, { items, amount })
    replyCount++
    return status
  })
  for (let read = 0; read < 20; read++) await expectOk(shop.get('/products'))
  await addShopper(shop)
  expect(replyCount).toBe(0)
  expect(new Set(await Promise.all(pendingCalls))).toEqual(new Set([503]))
})

test('after the clock jumps one hour back, no payment or reservation is lost and no invoice number repeats', async () => {
  const { shop, anita, bala } = await openLemonShop('sqlite', { products })
  const first = await buy(shop, anita, items)
  const { id } = await openPayment(shop, anita, { items })
  const unreportedPayment = await openPayment(shop, bala, { items })
  shop.clock.advance(-HOUR)
  await shop.sandbox.pay(unreportedPayment.id)
  const second = orderOf(await placeOrder(shop, anita, await shop.sandbox.pay(id)))
  await shop.deliverWebhooks()
  await shop.reconcile()
  expect(await myOrders(shop, bala)).toMatchObject([{ status: 'pending' }])
  expect(second.invoiceNumber).not.toBe(first.invoiceNumber)
  expect(await shop.stockOf('lemon')).toBe(97)
})
