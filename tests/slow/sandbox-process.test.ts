import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { freePort } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEYS = {
  RAZORPAY_KEY_ID: 'rzp_test_own',
  RAZORPAY_KEY_SECRET: 'secret',
  RAZORPAY_WEBHOOK_SECRET: 'the new webhook secret, the old webhook secret'
}

test('npm run sandbox uses the keys of the shop, and keeps orders and webhooks after SIGKILL', async () => {
  const received: unknown[] = []
  let status = 503
  const shop = createServer((request, response) => {
    if (status === 200) received.push(request.headers['x-razorpay-event-id'])
    request.resume().on('end', () => response.writeHead(status).end())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void shop.close().closeAllConnections())
  const data = await temporaryFolder()
  const start = async () => {
    const port = String(await freePort())
    const webhook = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`
    const options = ['--port', port, '--data', data, '--webhook-url', webhook]
    const command = startCommand(['sandbox/main.ts', ...options, '--first-pause', '50'], KEYS)
    await command.waitForOutput(/RAZORPAY_CHECKOUT_URL/)
    const send = async (path: string, body?: object) => {
      const headers = {
        authorization: `Basic ${btoa('rzp_test_own:secret')}`,
        'content-type': 'application/json'
      }
      const sent = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, { headers, ...sent })
      return (await response.json()) as { id: string }
    }
    return { command, port, send }
  }
  const first = await start()
  expect(first.command.output()).toContain('RAZORPAY_WEBHOOK_SECRET=the new webhook secret\n')
  const payment = { capture: 'automatic' }
  const { id } = await first.send('/orders', { amount: 5000, currency: 'INR', payment })
  await fetch(`http://127.0.0.1:${first.port}/v1/payments/create/ajax`, {
    method: 'POST',
    body: new URLSearchParams({ key_id: 'rzp_test_own', order_id: id, outcome: 'paid' })
  })
  await first.command.stop('SIGKILL')
  status = 200
  const second = await start()
  expect(await second.send(`/orders/${id}`)).toMatchObject({ status: 'paid', amount_paid: 5000 })
  await expect.poll(() => new Set(received).size).toBe(3)
  expect(await second.command.stop('SIGTERM')).toBe(0)
})
