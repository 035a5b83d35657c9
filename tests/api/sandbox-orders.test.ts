import { describe, expect, test } from 'vitest'
import { startSandbox } from '../support/sandbox.ts'

describe('Sandbox authentication', () => {
  test.for([
    ['no keys', ''],
    ['another key', `Basic ${btoa('rzp_test_other:the key secret')}`],
    ['another secret', `Basic ${btoa('rzp_test_Palagaram00001:another secret')}`],
    ['the scheme in lower case', `basic ${btoa('rzp_test_Palagaram00001:the key secret')}`]
  ] as const)('returns 401 for %s', async ([, authorization]) => {
    const { call } = await startSandbox()
    const { status, body } = await call('GET', '/orders', undefined, { authorization })
    expect(status).toBe(401)
    expect(body).toMatchObject({
      error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' }
    })
  })
})

describe('Sandbox order', () => {
  test('has the fields of a Razorpay order', async () => {
    const { call, clock } = await startSandbox()
    const draft = { amount: 5000, currency: 'INR', receipt: 'o_1', notes: { order: 'o_1' } }
    const { status, body } = await call('POST', '/orders', draft)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^order_[A-Za-z0-9]{14}$/) as string,
      entity: 'order',
      amount: 5000,
      amount_paid: 0,
      amount_due: 5000,
      currency: 'INR',
      receipt: 'o_1',
      status: 'created',
      attempts: 0,
      notes: { order: 'o_1' },
      created_at: clock() / 1000
    })
    expect((await call('GET', `/orders/${String(body['id'])}`)).body).toEqual(body)
  })

  test('has an empty array as notes if it is created without notes', async () => {
    const { call } = await startSandbox()
    expect((await call('POST', '/orders', { amount: 100, currency: 'INR' })).body).toMatchObject({
      notes: []
    })
    expect(
      (await call('POST', '/orders', { amount: 100, currency: 'INR', notes: {} })).body
    ).toMatchObject({
      notes: []
    })
  })

  test("below one rupee is refused with Razorpay's error", async () => {
    const { call } = await startSandbox()
    const reply = await call('POST', '/orders', { amount: 99, currency: 'INR' })
    expect(reply.status).toBe(400)
    expect(reply.body['error']).toEqual({
      code: 'BAD_REQUEST_ERROR',
      description: 'The amount must be at least INR 1.00',
      source: 'business',
      step: 'payment_initiation',
      reason: 'input_validation_failed',
      metadata: {},
      field: 'amount'
    })
  })

  test('is found by its receipt, and orders with the same receipt are listed newest first', async () => {
    const { call, createOrder } = await startSandbox()
    const ids = [
      await createOrder(100, { receipt: 'o_1' }),
      await createOrder(100, { receipt: 'o_1' })
    ]
    await createOrder(100, { receipt: 'o_2' })
    const { body } = await call('GET', '/orders?receipt=o_1')
    expect(body).toMatchObject({ entity: 'collection', count: 2 })
    expect((body['items'] as { id: string }[]).map(({ id }) => id)).toEqual(ids.reverse())
    expect((await call('GET', '/orders?receipt=o_3')).body).toEqual({
      entity: 'collection',
      count: 0,
      items: []
    })
  })

  test('can be listed in pages and by creation time', async () => {
    const { call, createOrder, clock } = await startSandbox()
    const first = await createOrder()
    clock.advance(60_000)
    const from = clock() / 1000
    const [second, third] = [await createOrder(), await createOrder()]
    const listIds = async (query: string): Promise<string[]> =>
      ((await call('GET', `/orders?${query}`)).body['items'] as { id: string }[]).map(
        ({ id }) => id
      )
    expect(await listIds(`to=${from - 1}`)).toEqual([first])
    expect(await listIds(`from=${from}`)).toEqual([third, second])
    expect(await listIds('count=1&skip=1')).toEqual([second])
  })

  test.for([
    '/orders/order_none',
    '/orders/order_none/payments',
    '/payments/pay_none',
    '/refunds/rfnd_none'
  ])("GET %s returns Razorpay's error for an unknown id", async path => {
    const { call } = await startSandbox()
    const { status, body } = await call('GET', path)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { description: 'The id provided does not exist' } })
  })

  test("GET of an unknown URL returns Razorpay's error", async () => {
    const { call } = await startSandbox()
    const { body } = await call('GET', '/no-such-thing')
    expect(body).toMatchObject({
      error: { description: 'The requested URL was not found on the server.' }
    })
  })
})
