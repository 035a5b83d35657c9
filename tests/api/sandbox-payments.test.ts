import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { SANDBOX_KEYS, startSandbox, type TestSandbox } from '../support/sandbox.ts'

const CAPTURE = { amount: 50_000, currency: 'INR' }

const descriptionOf = ({ body }: { body: Record<string, unknown> }): unknown =>
  (body['error'] as { description: string } | undefined)?.description

const orderOf = async ({ call }: TestSandbox, id: string): Promise<unknown> =>
  (await call('GET', `/orders/${id}`)).body

describe('Sandbox payment', () => {
  test('is captured immediately and sets the status of its order to "paid"', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder(5000)
    const proof = await sandbox.pay(id)
    expect(await orderOf(sandbox, id)).toMatchObject({
      status: 'paid',
      amount_paid: 5000,
      amount_due: 0,
      attempts: 1
    })
    const payment = await sandbox.fetchPayment(proof.razorpay_payment_id)
    expect(payment).toMatchObject({
      id: expect.stringMatching(/^pay_[A-Za-z0-9]{14}$/) as string,
      entity: 'payment',
      amount: 5000,
      currency: 'INR',
      status: 'captured',
      order_id: id,
      captured: true,
      amount_refunded: 0,
      refund_status: null,
      method: 'upi'
    })
    expect((await sandbox.call('GET', `/orders/${id}/payments`)).body).toEqual({
      entity: 'collection',
      count: 1,
      items: [payment]
    })
    expect((await sandbox.call('GET', '/payments')).body).toMatchObject({
      count: 1,
      items: [payment]
    })
  })

  test('is confirmed with a signature of order id and payment id', async () => {
    const sandbox = await startSandbox()
    const proof = await sandbox.pay(await sandbox.createOrder())
    const {
      razorpay_order_id: order,
      razorpay_payment_id: payment,
      razorpay_signature: signature
    } = proof
    const expected = createHmac('sha256', SANDBOX_KEYS.keySecret)
      .update(`${order}|${payment}`)
      .digest('hex')
    expect(signature).toBe(expected)
  })

  test('sets the status of its order to "attempted" if it fails, and a second payment can pay the order', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder()
    const failedReply = await sandbox.control('POST', '/pay', { order_id: id, outcome: 'failed' })
    expect(failedReply.status).toBe(400)
    expect(failedReply.body).toMatchObject({
      error: { code: 'BAD_REQUEST_ERROR', reason: 'payment_failed', metadata: { order_id: id } }
    })
    expect(await orderOf(sandbox, id)).toMatchObject({
      status: 'attempted',
      attempts: 1,
      amount_paid: 0
    })
    await sandbox.pay(id)
    expect(await orderOf(sandbox, id)).toMatchObject({ status: 'paid', attempts: 2 })
    const { body } = await sandbox.call('GET', `/orders/${id}/payments`)
    expect((body['items'] as { status: string }[]).map(({ status }) => status)).toEqual([
      'captured',
      'failed'
    ])
  })

  test('is refused for a paid order', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder()
    await sandbox.pay(id)
    const reply = await sandbox.control('POST', '/pay', { order_id: id })
    expect(reply.status).toBe(400)
    expect(descriptionOf(reply)).toBe('Payment already done for this order.')
  })

  test('can be captured after authorization, but only once and only for the full amount', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder()
    const { body } = await sandbox.control('POST', '/pay', { order_id: id, outcome: 'authorized' })
    const payment = String(body['razorpay_payment_id'])
    expect(await sandbox.fetchPayment(payment)).toMatchObject({
      status: 'authorized',
      captured: false
    })
    const capture = (body: object): ReturnType<TestSandbox['call']> =>
      sandbox.call('POST', `/payments/${payment}/capture`, body)
    expect(descriptionOf(await capture({ ...CAPTURE, amount: 49_999 }))).toBe(
      'Capture amount must be equal to the amount authorized.'
    )
    expect((await capture(CAPTURE)).body).toMatchObject({ status: 'captured' })
    expect(descriptionOf(await capture(CAPTURE))).toBe('This payment has already been captured')
    expect(await orderOf(sandbox, id)).toMatchObject({ status: 'paid' })
  })

  test('is authorized but not captured if its order demands manual capture', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder(500, { payment: { capture: 'manual' } })
    expect(await sandbox.fetchPayment((await sandbox.pay(id)).razorpay_payment_id)).toMatchObject({
      status: 'authorized'
    })
  })

  test('is refunded if it is authorized late and never captured', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder()
    const { body } = await sandbox.control('POST', '/pay', { order_id: id, outcome: 'pending' })
    const payment_id = String(body['razorpay_payment_id'])
    expect(await sandbox.fetchPayment(payment_id)).toMatchObject({ status: 'created' })
    sandbox.clock.advance(13 * MINUTE)
    await sandbox.control('POST', '/late', { payment_id, outcome: 'paid' })
    expect(await sandbox.fetchPayment(payment_id)).toMatchObject({ status: 'authorized' })
    sandbox.clock.advance(7200 * MINUTE)
    await sandbox.deliver()
    expect(await sandbox.fetchPayment(payment_id)).toMatchObject({
      status: 'refunded',
      captured: false
    })
  })

  test('keeps its id if it fails and is captured later', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder()
    const { body } = await sandbox.control('POST', '/pay', { order_id: id, outcome: 'failed' })
    const { metadata } = body['error'] as { metadata: { payment_id: string } }
    await sandbox.control('POST', '/late', { payment_id: metadata.payment_id, outcome: 'captured' })
    expect(await sandbox.fetchPayment(metadata.payment_id)).toMatchObject({
      status: 'captured'
    })
  })

  test('can be the second captured payment of the same order', async () => {
    const sandbox = await startSandbox()
    const id = await sandbox.createOrder()
    const first = await sandbox.pay(id)
    const { body } = await sandbox.control('POST', '/pay2', { order_id: id })
    expect(body['razorpay_payment_id']).not.toBe(first.razorpay_payment_id)
    const { body: payments } = await sandbox.call('GET', `/orders/${id}/payments`)
    expect((payments['items'] as { status: string }[]).map(({ status }) => status)).toEqual([
      'captured',
      'captured'
    ])
  })
})

describe('Sandbox refund', () => {
  test('has the fields of a Razorpay refund and can be fetched', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    const refund = await sandbox.createRefund(id, {
      amount: 20_000,
      speed: 'normal',
      receipt: 'rf_1',
      notes: { why: 'gone' }
    })
    expect(refund).toEqual({
      id: expect.stringMatching(/^rfnd_[A-Za-z0-9]{14}$/) as string,
      entity: 'refund',
      amount: 20_000,
      currency: 'INR',
      payment_id: id,
      notes: { why: 'gone' },
      receipt: 'rf_1',
      created_at: sandbox.clock() / 1000,
      status: 'processed'
    })
    expect(await sandbox.fetchPayment(id)).toMatchObject({
      status: 'captured',
      amount_refunded: 20_000,
      refund_status: 'partial'
    })
    expect((await sandbox.call('GET', `/refunds/${refund.id}`)).body).toEqual(refund)
    expect((await sandbox.call('GET', `/payments/${id}/refunds`)).body).toMatchObject({
      count: 1,
      items: [refund]
    })
  })

  test('has the remaining amount of the payment by default and is refused for a higher amount', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    await sandbox.createRefund(id, { amount: 20_000 })
    const tooMuch = await sandbox.call('POST', `/payments/${id}/refund`, { amount: 30_001 })
    expect(descriptionOf(tooMuch)).toBe(
      'The refund amount provided is greater than amount captured.'
    )
    expect((await sandbox.createRefund(id)).amount).toBe(30_000)
    expect(await sandbox.fetchPayment(id)).toMatchObject({
      status: 'refunded',
      refund_status: 'full'
    })
    const again = await sandbox.call('POST', `/payments/${id}/refund`)
    expect(descriptionOf(again)).toBe('The payment has been fully refunded already.')
  })

  test('is created only once for an idempotency key', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    const first = await sandbox.createRefund(id, { amount: 10_000 }, 'refund-0001')
    expect(await sandbox.createRefund(id, { amount: 10_000 }, 'refund-0001')).toEqual(first)
    expect(
      await (await sandbox.restart()).createRefund(id, { amount: 10_000 }, 'refund-0001')
    ).toEqual(first)
  })

  test('is refused with 409 if its idempotency key was used for another request', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    await sandbox.createRefund(id, { amount: 10_000 }, 'refund-0001')
    const headers = { 'X-Refund-Idempotency': 'refund-0001' }
    const reply = await sandbox.call('POST', `/payments/${id}/refund`, { amount: 20_000 }, headers)
    expect(reply.status).toBe(409)
    expect(descriptionOf(reply)).toBe(
      'Different request with the same idempotency key has already been processed.'
    )
    expect(await sandbox.fetchPayment(id)).toMatchObject({ amount_refunded: 10_000 })
  })

  test('is created only once for parallel requests with the same idempotency key', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    const headers = { 'X-Refund-Idempotency': 'refund-0001' }
    const requestRefund = (): ReturnType<TestSandbox['call']> =>
      sandbox.call('POST', `/payments/${id}/refund`, {}, headers)
    const replies = await Promise.all(Array.from({ length: 10 }, requestRefund))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect((await sandbox.call('GET', `/payments/${id}/refunds`)).body).toMatchObject({ count: 1 })
  })

  test('does not use up the idempotency key if its body is refused', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    const headers = { 'X-Refund-Idempotency': 'refund-0001' }
    expect(
      (await sandbox.call('POST', `/payments/${id}/refund`, { amount: 1 }, headers)).status
    ).toBe(400)
    expect((await sandbox.call('POST', `/payments/${id}/refund`, {}, headers)).status).toBe(200)
  })

  test.for(['short', 'with a space'])(
    'is refused if its idempotency key is invalid: %s',
    async key => {
      const sandbox = await startSandbox()
      const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
      const { status } = await sandbox.call(
        'POST',
        `/payments/${id}/refund`,
        {},
        { 'X-Refund-Idempotency': key }
      )
      expect(status).toBe(400)
    }
  )

  test('is refused if the payment is not captured', async () => {
    const sandbox = await startSandbox()
    const { body } = await sandbox.control('POST', '/pay', {
      order_id: await sandbox.createOrder(),
      outcome: 'authorized'
    })
    const reply = await sandbox.call(
      'POST',
      `/payments/${String(body['razorpay_payment_id'])}/refund`
    )
    expect(descriptionOf(reply)).toBe(
      'The payment status should be captured for action to be taken'
    )
  })

  test('can fail later, and its amount then no longer counts as refunded', async () => {
    const sandbox = await startSandbox()
    const { razorpay_payment_id: id } = await sandbox.pay(await sandbox.createOrder())
    await sandbox.control('PUT', '/faults', { refundFail: 1 })
    const refund = await sandbox.createRefund(id)
    expect(refund.status).toBe('pending')
    sandbox.clock.advance(MINUTE)
    await sandbox.deliver()
    expect((await sandbox.call('GET', `/refunds/${refund.id}`)).body).toMatchObject({
      status: 'failed'
    })
    expect(await sandbox.fetchPayment(id)).toMatchObject({
      status: 'captured',
      amount_refunded: 0,
      refund_status: null
    })
  })
})
