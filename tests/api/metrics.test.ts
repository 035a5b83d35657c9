import { describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

const TOKEN = 'a-token-for-measurements'

async function openMeasuredShop(options: Parameters<typeof openShop>[1] = {}) {
  return openShop('sqlite', { ...options, config: { metricsToken: TOKEN } })
}

const readMetrics = (shop: Shop, token = TOKEN) =>
  shop.request({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })

describe('Metrics', () => {
  test('do not exist without METRICS_TOKEN or with a wrong one', async () => {
    const shop = await openMeasuredShop()
    const replies = [
      await readMetrics(await openShop()),
      await readMetrics(shop, 'another-token-of-that-length'),
      await shop.request({ url: '/metrics' })
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  test('count requests by the path of their route', async () => {
    const shop = await openMeasuredShop()
    await shop.get('/products/unknown-1')
    await shop.get('/products/unknown-2')
    const { text, headers } = await readMetrics(shop)
    expect(headers['cache-control']).toBe('no-store')
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/products/:id",status="404"} 2'
    )
    expect(text).not.toContain('unknown-1')
    expect(text).toContain('nodejs_eventloop_lag_seconds')
  })

  test('tell how long the oldest mail waits, and answer while the database is down', async () => {
    const shop = await openMeasuredShop()
    const message = { name: 'Anita', email: 'anita@shop.example', message: 'Vanakkam' }
    await shop.post('/contact', message)
    shop.clock.advance(90_000)
    const { text } = await readMetrics(shop)
    expect(text).toMatch(/^shop_outbox_waiting [1-9]/m)
    expect(text).toContain('shop_outbox_oldest_seconds 90')
    expect(text).toContain('shop_publish_failed 0')
    await shop.database.close()
    const reply = await readMetrics(shop)
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('shop_outbox_waiting Nan')
  })
})
