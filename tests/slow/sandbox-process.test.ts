import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { freePort } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KEYS = {
  RAZORPAY_KEY_ID: 'rzp_test_own',
  RAZORPAY_KEY_SECRET: 'secret',
  RAZORPAY_WEBHOOK_SECRET: 'the new webhook secret, the old webhook secret'
}

test('npm run sandbox uses the keys of the shop and keeps its orders after SIGKILL', async () => {
  const data = await temporaryFolder()
  const start = async () => {
    const port = String(await freePort())
    const command = startCommand(['sandbox/main.ts', '--port', port, '--data', data], KEYS)
    await command.waitForOutput(/RAZORPAY_CHECKOUT_URL/)
    const headers = {
      authorization: `Basic ${btoa('rzp_test_own:secret')}`,
      'content-type': 'application/json'
    }
    const send = async (init?: RequestInit) =>
      (await fetch(`http://127.0.0.1:${port}/v1/orders`, { headers, ...init })).json()
    return { command, send }
  }
  const first = await start()
  expect(first.command.output()).toContain('RAZORPAY_WEBHOOK_SECRET=the new webhook secret\n')
  const body = JSON.stringify({ amount: 5000, currency: 'INR' })
  const order: unknown = await first.send({ method: 'POST', body })
  await first.command.stop('SIGKILL')
  const second = await start()
  expect(await second.send()).toMatchObject({ items: [order] })
  expect(await second.command.stop('SIGTERM')).toBe(0)
})
