import { createHmac } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DAY, SECOND } from '#lib/time.ts'
import { openSqlite } from '#server/platform/db/sqlite.ts'
import { postByHttp } from '../../sandbox/store.ts'
import { SANDBOX_KEYS, startSandbox, type TestSandbox, type Webhook } from '../support/sandbox.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Event {
  event: string
  contains: string[]
  payload: Record<string, { entity: Record<string, unknown> }>
}

const eventOf = ({ body }: Webhook): Event => JSON.parse(body) as Event
const namesOf = ({ webhooks }: TestSandbox): string[] =>
  webhooks.map(webhook => eventOf(webhook).event)

describe('Sandbox webhook', () => {
  test('reports each step of a payment with a signature of the raw body', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    await sandbox.deliver()
    expect(namesOf(sandbox).sort()).toEqual([
      'order.paid',
      'payment.authorized',
      'payment.captured'
    ])
    for (const { body, signature } of sandbox.webhooks) {
      expect(signature).toBe(
        createHmac('sha256', SANDBOX_KEYS.webhookSecret).update(body).digest('hex')
      )
    }
    const [captured] = sandbox.webhooks
      .map(eventOf)
      .filter(({ event }) => event === 'payment.captured')
    expect(captured).toMatchObject({
      entity: 'event',
      account_id: 'acc_SANDBOX',
      contains: ['payment'],
      payload: { payment: { entity: { id, status: 'captured' } } },
      created_at: sandbox.clock() / 1000
    })
    const [paid] = sandbox.webhooks.map(eventOf).filter(({ event }) => event === 'order.paid')
    expect(paid?.contains).toEqual(['payment', 'order'])
    expect(paid?.payload['order']?.entity).toMatchObject({ status: 'paid' })
  })

  test('reports failed payments and refunds', async () => {
    const sandbox = await startSandbox()
    const order_id = await sandbox.createOrder()
    await sandbox.control('POST', '/pay', { order_id, outcome: 'failed' })
    const { razorpay_payment_id: id } = await sandbox.pay(order_id)
    await sandbox.createRefund(id)
    await sandbox.deliver()
    expect(namesOf(sandbox)).toEqual(expect.arrayContaining(['payment.failed', 'refund.processed']))
    const [refunded] = sandbox.webhooks
      .map(eventOf)
      .filter(({ event }) => event === 'refund.processed')
    expect(refunded?.contains).toEqual(['refund', 'payment'])
  })

  test('is sent only for the selected events', async () => {
    const sandbox = await startSandbox({ events: ['order.paid'] })
    await sandbox.pay(await sandbox.createOrder())
    await sandbox.deliver()
    expect(namesOf(sandbox)).toEqual(['order.paid'])
  })

  test('is retried with the same id and increasing delays until accepted', async () => {
    let isAccepted = false
    const sandbox = await startSandbox({ events: ['order.paid'], onWebhook: () => isAccepted })
    await sandbox.pay(await sandbox.createOrder())
    for (let attempt = 1; attempt <= 4; attempt++) {
      await sandbox.deliver()
      expect(sandbox.webhooks).toHaveLength(attempt)
      sandbox.clock.advance(SECOND * 2 ** attempt)
      await sandbox.deliver()
      expect(sandbox.webhooks).toHaveLength(attempt)
      sandbox.clock.advance(8 * SECOND * 2 ** attempt)
    }
    isAccepted = true
    await sandbox.deliver()
    sandbox.clock.advance(DAY)
    await sandbox.deliver()
    expect(sandbox.webhooks).toHaveLength(5)
    expect(new Set(sandbox.webhooks.map(({ id }) => id)).size).toBe(1)
  })

  test('is no longer sent after a day, but /replay sends it again', async () => {
    const sandbox = await startSandbox({ events: ['order.paid'], onWebhook: () => false })
    await sandbox.pay(await sandbox.createOrder())
    sandbox.clock.advance(DAY + SECOND)
    await sandbox.deliver()
    expect((await sandbox.control('GET', '/events')).body).toEqual({ waiting: 0 })
    expect((await sandbox.control('POST', '/replay')).body).toEqual({ replayed: 1 })
    await sandbox.deliver()
    expect(sandbox.webhooks).toHaveLength(2)
  })

  test('is sent after a restart if it was not delivered before', async () => {
    const sandbox = await startSandbox({ events: ['order.paid'] })
    await sandbox.pay(await sandbox.createOrder())
    const restarted = await sandbox.restart()
    await restarted.deliver()
    expect(namesOf(restarted)).toEqual(['order.paid'])
  })

  test('is sent again, a little later, if a full disk prevents saving that it was delivered', async () => {
    const file = join(await temporaryFolder(), 'sandbox.db')
    const sandbox = await startSandbox({
      file,
      events: ['order.paid'],
      manualDelivery: false,
      firstRetryDelay: 100
    })
    const id = await sandbox.createOrder()
    const database = openSqlite(file, SECOND)
    onTestFinished(() => void database.close())
    const fail = "begin select raise(abort, 'database or disk is full'); end"
    database.exec(`create trigger full_disk before update on events ${fail}`)
    await sandbox.pay(id)
    await vi.waitFor(() => expect(sandbox.webhooks.length).toBeGreaterThan(1))
    expect(sandbox.webhooks.length).toBeLessThan(10)
    expect((await sandbox.control('GET', '/events')).body).toEqual({ waiting: 1 })
    database.exec('drop trigger full_disk')
    await vi.waitFor(async () =>
      expect((await sandbox.control('GET', '/events')).body).toEqual({ waiting: 0 })
    )
  })

  test('can be duplicated, delayed, reordered or omitted by faults', async () => {
    const sandbox = await startSandbox({ events: ['order.paid'] })
    const payWith = async (faults: object): Promise<void> => {
      await sandbox.control('PUT', '/faults', faults)
      await sandbox.pay(await sandbox.createOrder())
      await sandbox.deliver()
    }
    await payWith({ dropWebhook: 1 })
    expect(sandbox.webhooks).toHaveLength(0)
    await payWith({ delayWebhook: 1, delayMs: 5 * SECOND })
    expect(sandbox.webhooks).toHaveLength(0)
    sandbox.clock.advance(6 * SECOND)
    await sandbox.deliver()
    expect(sandbox.webhooks).toHaveLength(1)
    await payWith({ duplicateWebhook: 1 })
    sandbox.clock.advance(2 * SECOND)
    await sandbox.deliver()
    expect(sandbox.webhooks.map(({ id }) => id).slice(1)).toEqual([
      sandbox.webhooks[2]?.id,
      sandbox.webhooks[1]?.id
    ])
    await payWith({ shuffleMs: 60 * SECOND, seed: 1 })
    expect(sandbox.webhooks).toHaveLength(3)
    sandbox.clock.advance(60 * SECOND)
    await sandbox.deliver()
    expect(sandbox.webhooks).toHaveLength(4)
  })
})

describe('Reply to a sandbox webhook', () => {
  const send = async (listener: RequestListener): Promise<boolean> => {
    const server = createServer(listener)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    return postByHttp(`http://127.0.0.1:${port}/`, '{}', {}, AbortSignal.timeout(300)).catch(
      () => false
    )
  }

  test.for([
    [200, true],
    [204, true],
    [302, false],
    [401, false],
    [503, false]
  ] as const)('with status %i counts as accepted: %s', async ([status, isAccepted]) => {
    const listener: RequestListener = (_request, response) =>
      void response.writeHead(status, { location: '/' }).end()
    expect(await send(listener)).toBe(isAccepted)
  })

  test('that does not arrive before the timeout counts as not accepted', async () => {
    expect(await send(() => undefined)).toBe(false)
  })
})
