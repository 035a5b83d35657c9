import { describe, expect, test } from 'vitest'
import { seeded } from '#server/sandbox/faults.ts'
import { startSandbox } from '../support/sandbox.ts'

const ORDER = { amount: 50_000, currency: 'INR', receipt: 'o_1' }

describe('a call to the sandbox', () => {
  test('fails before its work is done', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { errorBefore: 1 })
    const { status, body } = await sandbox.ask('POST', '/orders', ORDER)
    expect(status).toBe(500)
    expect(body).toMatchObject({ error: { code: 'SERVER_ERROR' } })
    await sandbox.control('PUT', '/faults', {})
    expect((await sandbox.ask('GET', '/orders?receipt=o_1')).body).toMatchObject({ count: 0 })
  })

  test.for(['errorAfter', 'loseAnswer'])('fails after its work is done: %s', async fault => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { [fault]: 1 })
    const answer = sandbox.ask('POST', '/orders', ORDER)
    if (fault === 'loseAnswer') await expect(answer).rejects.toThrow('fetch failed')
    else expect(await answer).toMatchObject({ status: 500, body: { error: { code: 'SERVER_ERROR' } } })
    await sandbox.control('PUT', '/faults', {})
    expect((await sandbox.ask('GET', '/orders?receipt=o_1')).body).toMatchObject({ count: 1 })
  })

  test('comes too often', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { tooMany: 1 })
    expect((await sandbox.ask('POST', '/orders', ORDER)).status).toBe(429)
  })

  test('is answered with a page for people', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { html: 1 })
    const { status, text } = await sandbox.ask('POST', '/orders', ORDER)
    expect(status).toBe(502)
    expect(text).toContain('<html>')
  })

  test('is never answered', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { hang: 1 })
    const headers = { authorization: `Basic ${btoa('rzp_test_Palagaram00001:the key secret')}` }
    const answer = fetch(`${sandbox.url}/v1/orders`, { headers, signal: AbortSignal.timeout(300) })
    await expect(answer).rejects.toThrow(/timeout/)
  })

  test('is answered slowly', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { slow: 1, slowMs: 200 })
    const began = performance.now()
    expect((await sandbox.ask('GET', '/orders')).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(190)
  })
})

describe('faults', () => {
  test('happen as often as they are asked to, and the same again from the same seed', async () => {
    const sandbox = await startSandbox()
    const statuses = async (): Promise<number[]> => {
      await sandbox.control('PUT', '/faults', { errorBefore: 0.5, seed: 7 })
      const replies = []
      for (let call = 0; call < 40; call++) replies.push(await sandbox.ask('GET', '/orders'))
      return replies.map(({ status }) => status)
    }
    const once = await statuses()
    const failed = once.filter(status => status === 500).length
    expect(failed).toBeGreaterThan(8)
    expect(failed).toBeLessThan(32)
    expect(await statuses()).toEqual(once)
  })

  test('that are none are refused, and the settings stay', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { html: 0.25 })
    expect((await sandbox.control('PUT', '/faults', { earthquake: 1 })).status).toBe(400)
    expect((await sandbox.control('PUT', '/faults', { hang: 2 })).status).toBe(400)
    expect((await sandbox.control('GET', '/faults')).body).toMatchObject({ html: 0.25, hang: 0 })
  })

  test('do not reach a sandbox that is mounted in the shop', async () => {
    const sandbox = await startSandbox({ control: false })
    expect((await sandbox.control('GET', '/faults')).status).toBe(400)
    expect((await sandbox.control('POST', '/pay', { order_id: await sandbox.order() })).status).toBe(400)
  })

  test('come from numbers that are spread evenly', () => {
    const random = seeded(1)
    const numbers = Array.from({ length: 2000 }, random)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    expect(numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toBeCloseTo(0.5, 1)
  })
})
