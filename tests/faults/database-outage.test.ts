import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { connect } from '#server/platform/db/connect.ts'
import { createWrite } from '#server/platform/db/write.ts'
import {
  buy,
  requestPayment,
  myOrders,
  addShopper,
  openPayment,
  openCheckoutShop,
  placeOrder,
  type CheckoutShop
} from '../support/checkout.ts'
import { openEmptyDatabase, type TestDatabase } from '../support/database.ts'
import type { Reply } from '../support/shop.ts'
import { runStatement } from '../support/postgres-admin.ts'
import { prepareDatabase } from '../support/prepare-database.ts'

const products = { lemon: { category: 'pickles', price: 120, stock: 100 } } as const
const items = [{ product: 'lemon', quantity: 1 }]
const amount = 120

async function openSqliteDatabase(busyTimeout: number): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'palagaram-sqlite-'))
  const url = join(folder, 'shop.db')
  const database = connect({ databaseUrl: url, busyTimeout })
  await prepareDatabase(database)
  const close = async (): Promise<void> => {
    await database.close()
    await rm(folder, { recursive: true })
  }
  return { database, write: createWrite(database), url, close }
}

const LOCK_SCRIPT = `
  const file = new (require('better-sqlite3'))(process.argv[1])
  file.exec('begin immediate')
  console.log('locked')
  setTimeout(() => file.exec('commit'), Number(process.argv[2]))`

/** Locks the file in another process for `ms`, or until the returned function is called. */
async function lockFile({ url }: TestDatabase, ms: number): Promise<() => Promise<unknown>> {
  const child = spawn(process.execPath, ['-e', LOCK_SCRIPT, url, String(ms)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  return async () => {
    child.kill('SIGKILL')
    await exited
  }
}

async function countWaitingWebhooks({ sandbox }: CheckoutShop): Promise<number> {
  return Number((await sandbox.control('GET', '/events')).body['waiting'])
}

describe('SQLite file locked by another process', () => {
  test('a checkout waits until a short lock ends', async () => {
    const database = await openSqliteDatabase(50)
    const shop = await openCheckoutShop('sqlite', { products, database })
    const anita = await addShopper(shop)
    await lockFile(database, 400)
    expect((await buy(shop, anita, items)).status).toBe('pending')
    expect(await shop.violations()).toEqual([])
  })

  test('calls that write fail with 503 during a long lock and succeed after it', async () => {
    const database = await openSqliteDatabase(10)
    const shop = await openCheckoutShop('sqlite', { products, database })
    const [anita, velu] = [await addShopper(shop), await addShopper(shop)]
    const { id } = await openPayment(shop, anita, { items })
    const proof = await shop.sandbox.pay(id)
    const unlock = await lockFile(database, MINUTE)
    const calls = [
      requestPayment(shop, velu, { items, amount }),
      placeOrder(shop, anita, proof),
      shop.deliverWebhooks()
    ] as const
    const [paymentReply, orderReply] = await Promise.all(calls)
    expect([paymentReply.status, orderReply.status]).toEqual([503, 503])
    expect((await shop.get('/products')).status).toBe(200)
    expect(await countWaitingWebhooks(shop)).toBeGreaterThan(0)
    await unlock()
    expect(await placeOrder(shop, anita, proof)).toMatchObject({ status: 201 })
    expect(await requestPayment(shop, velu, { items, amount })).toMatchObject({ status: 200 })
    expect(await shop.violations()).toEqual([])
  })
})

/** Simulates a full disk: the file cannot become larger, and its free space is filled. */
async function fillDisk({ database: { kysely } }: CheckoutShop): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(kysely)
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(kysely)
  const at = new Date(0).toISOString()
  const mailColumns = { state: 'sent', attempts: 1, next_at: at, created_at: at } as const
  const eventColumns = {
    type: 'payment.captured',
    refund_id: null,
    attempts: 0,
    next_at: null,
    received_at: at
  }
  await insertUntilFull(id =>
    kysely
      .insertInto('outbox')
      .values({ id, payload: 'x'.repeat(300), ...mailColumns })
      .execute()
  )
  await insertUntilFull(id =>
    kysely
      .insertInto('webhook_events')
      .values({ id, payment_id: id, ...eventColumns })
      .execute()
  )
}

async function insertUntilFull(insert: (id: string) => Promise<unknown>): Promise<void> {
  for (let failures = 0; failures < 30;) {
    const isInserted = await insert(`evt_${randomUUID().slice(0, 14)}`).then(
      () => true,
      () => false
    )
    failures = isInserted ? 0 : failures + 1
  }
}

describe('Full disk', () => {
  test('writes fail with 503, reads work, and a payment becomes an order after space is freed', async () => {
    const database = await openSqliteDatabase(50)
    const shop = await openCheckoutShop('sqlite', { products, database })
    const [anita, ...others] = await Promise.all(Array.from({ length: 20 }, () => addShopper(shop)))
    if (!anita) throw new Error('No shopper')
    const { id } = await openPayment(shop, anita, { items })
    const proof = await shop.sandbox.pay(id)
    await fillDisk(shop)
    expect(await placeOrder(shop, anita, proof)).toMatchObject({ status: 503 })
    await shop.deliverWebhooks()
    expect(await countWaitingWebhooks(shop)).toBeGreaterThan(0)
    expect((await shop.get('/products')).status).toBe(200)
    const send = (): Promise<Reply[]> =>
      Promise.all(others.map(other => requestPayment(shop, other, { items, amount })))
    expect((await send()).map(({ status }) => status)).toContain(503)

    await sql`pragma max_page_count = 1073741823`.execute(shop.database.kysely)
    shop.clock.advance(MINUTE)
    await shop.deliverWebhooks()
    expect(await myOrders(shop, anita)).toMatchObject([{ status: 'pending' }])
    expect(new Set((await send()).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await shop.violations()).toEqual([])
  })
})

describe('PostgreSQL closes connections', () => {
  test('no order is lost, and calls that failed with 503 succeed on retry', async () => {
    const database = await openEmptyDatabase('postgres')
    await prepareDatabase(database.database)
    const shop = await openCheckoutShop('postgres', { products, database })
    const shoppers = await Promise.all(Array.from({ length: 8 }, () => addShopper(shop)))
    const name = new URL(database.url).pathname.slice(1)
    const statuses = new Set<number>()
    const buying = shoppers.map(async shopper => {
      const key = randomUUID()
      const checkout = await retryOn503(statuses, () =>
        requestPayment(shop, shopper, { items, amount, key })
      )
      const proof = await shop.sandbox.pay((checkout.body as { id: string }).id)
      return retryOn503(statuses, () => placeOrder(shop, shopper, proof))
    })
    for (let round = 0; round < 8; round++) {
      await wait(20)
      await runStatement(
        inject('postgres').url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
      )
    }
    await Promise.all(buying)
    expect([...statuses].filter(status => ![200, 201, 202, 503].includes(status))).toEqual([])
    await shop.deliverWebhooks()
    for (const shopper of shoppers)
      expect(await myOrders(shop, shopper)).toMatchObject([{ status: 'pending' }])
    expect(await shop.violations()).toEqual([])
  })
})

async function retryOn503(
  statuses: Set<number>,
  send: () => ReturnType<typeof requestPayment>
): ReturnType<typeof requestPayment> {
  for (;;) {
    const reply = await send()
    statuses.add(reply.status)
    if (reply.status !== 503) return reply
  }
}
