import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { SANDBOX_KEYS, startSandbox, type TestReply } from '../support/sandbox.ts'

const toRefusal = ({ status, body }: TestReply): string =>
  `${status} ${(body['error'] as { description: string } | undefined)?.description}`

test('The sandbox refuses the payments that Razorpay refuses', async () => {
  const { call, control, createOrder } = await startSandbox()
  const order_id = await createOrder(50_000)
  const { body } = await control('POST', '/pay', { order_id, outcome: 'authorized' })
  const payment = `/payments/${String(body['razorpay_payment_id'])}`
  const post = async (path: string, sent: object) => toRefusal(await call('POST', path, sent))
  const capture = (amount: number) => post(`${payment}/capture`, { amount, currency: 'INR' })
  expect([
    await post('/orders', { amount: 99, currency: 'INR' }),
    await post(`${payment}/refund`, {}),
    await capture(49_999),
    await capture(50_000),
    await capture(50_000),
    toRefusal(await control('POST', '/pay', { order_id })),
    await post(`${payment}/refund`, { amount: 50_001 }),
    await post(`${payment}/refund`, { amount: 20_000 }),
    await post(`${payment}/refund`, {}),
    await post(`${payment}/refund`, {})
  ]).toEqual([
    '400 The amount must be at least INR 1.00',
    '400 The payment status should be captured for action to be taken',
    '400 Capture amount must be equal to the amount authorized.',
    '200 undefined',
    '400 This payment has already been captured',
    '400 Payment already done for this order.',
    '400 The refund amount provided is greater than amount captured.',
    '200 undefined',
    '200 undefined',
    '400 The payment has been fully refunded already.'
  ])
})

test('The sandbox makes one refund for an idempotency key, and none for another request with it', async () => {
  const sandbox = await startSandbox()
  const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
  const refund = () => sandbox.createRefund(id, { amount: 10_000 }, 'refund-0001')
  const [first, ...others] = await Promise.all([refund(), refund(), refund()])
  const headers = { 'X-Refund-Idempotency': 'refund-0001' }
  const other = await sandbox.call('POST', `/payments/${id}/refund`, { amount: 20_000 }, headers)
  expect(other.status).toBe(409)
  const restarted = await sandbox.restart()
  others.push(await restarted.createRefund(id, { amount: 10_000 }, 'refund-0001'))
  expect(others).toEqual([first, first, first])
  expect(await restarted.fetchPayment(id)).toMatchObject({ amount_refunded: 10_000 })
})

test('The sandbox signs a webhook and sends it with the same id until it is accepted', async () => {
  let isAccepted = false
  const sandbox = await startSandbox({ events: ['order.paid'], onWebhook: () => isAccepted })
  await sandbox.pay(await sandbox.createOrder())
  await sandbox.deliver()
  const restarted = await sandbox.restart()
  isAccepted = true
  for (let n = 0; n < 3; n++) {
    restarted.clock.advance(20 * SECOND)
    await restarted.deliver()
  }
  const webhooks = [...sandbox.webhooks, ...restarted.webhooks]
  expect(webhooks).toEqual([webhooks[0], webhooks[0]])
  const { signature = '', body = '' } = webhooks[0] ?? {}
  const { webhookSecret } = SANDBOX_KEYS
  expect(signature).toBe(createHmac('sha256', webhookSecret).update(body).digest('hex'))
  expect(JSON.parse(body)).toMatchObject({ event: 'order.paid', contains: ['payment', 'order'] })
})
