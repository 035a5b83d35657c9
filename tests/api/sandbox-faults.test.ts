import { describe, expect, test } from 'vitest'
import { startSandbox } from '../support/sandbox.ts'
import { seededRandom } from '../support/random.ts'

const ORDER = { amount: 50_000, currency: 'INR', receipt: 'o_1' }

describe('Sandbox fault settings', () => {
  test('errorBefore returns 500, and the call has no effect', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { errorBefore: 1 })
    const { status, body } = await sandbox.call('POST', '/orders', ORDER)
    expect(status).toBe(500)
    expect(body).toMatchObject({ error: { code: 'SERVER_ERROR' } })
    await sandbox.control('PUT', '/faults', {})
    expect((await sandbox.call('GET', '/orders?receipt=o_1')).body).toMatchObject({ count: 0 })
  })

  test.for(['errorAfter', 'loseAnswer'])(
    '%s lets the call take effect but does not return its result',
    async fault => {
      const sandbox = await startSandbox()
      await sandbox.control('PUT', '/faults', { [fault]: 1 })
      const reply = sandbox.call('POST', '/orders', ORDER)
      if (fault === 'loseAnswer') await expect(reply).rejects.toThrow('fetch failed')
      else
        expect(await reply).toMatchObject({
          status: 500,
          body: { error: { code: 'SERVER_ERROR' } }
        })
      await sandbox.control('PUT', '/faults', {})
      expect((await sandbox.call('GET', '/orders?receipt=o_1')).body).toMatchObject({ count: 1 })
    }
  )

  test('tooMany returns 429', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { tooMany: 1 })
    expect((await sandbox.call('POST', '/orders', ORDER)).status).toBe(429)
  })

  test('html returns 502 with an HTML page', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { html: 1 })
    const { status, text } = await sandbox.call('POST', '/orders', ORDER)
    expect(status).toBe(502)
    expect(text).toContain('<html>')
  })

  test('hang prevents any reply', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { hang: 1 })
    const headers = { authorization: `Basic ${btoa('rzp_test_Palagaram00001:the key secret')}` }
    const reply = fetch(`${sandbox.url}/v1/orders`, { headers, signal: AbortSignal.timeout(300) })
    await expect(reply).rejects.toThrow(/timeout/)
  })

  test('slow delays the reply', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { slow: 1, slowMs: 200 })
    const startedAt = performance.now()
    expect((await sandbox.call('GET', '/orders')).status).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThan(190)
  })
})

describe('Sandbox fault generator', () => {
  test('causes faults with the given probability, and in the same sequence for the same seed', async () => {
    const sandbox = await startSandbox()
    const fetchStatuses = async (): Promise<number[]> => {
      await sandbox.control('PUT', '/faults', { errorBefore: 0.5, seed: 7 })
      const replies = []
      for (let call = 0; call < 40; call++) replies.push(await sandbox.call('GET', '/orders'))
      return replies.map(({ status }) => status)
    }
    const statuses = await fetchStatuses()
    const failures = statuses.filter(status => status === 500).length
    expect(failures).toBeGreaterThan(8)
    expect(failures).toBeLessThan(32)
    expect(await fetchStatuses()).toEqual(statuses)
  })

  test('refuses invalid settings and keeps the current settings', async () => {
    const sandbox = await startSandbox()
    await sandbox.control('PUT', '/faults', { html: 0.25 })
    expect((await sandbox.control('PUT', '/faults', { earthquake: 1 })).status).toBe(400)
    expect((await sandbox.control('PUT', '/faults', { hang: 2 })).status).toBe(400)
    expect((await sandbox.control('GET', '/faults')).body).toMatchObject({ html: 0.25, hang: 0 })
  })

  test('returns uniformly distributed numbers', () => {
    const random = seededRandom(1)
    const numbers = Array.from({ length: 2000 }, random)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    expect(numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toBeCloseTo(0.5, 1)
  })
})
