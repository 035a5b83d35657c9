import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startCommand, type Command } from '../support/command.ts'
import { freePort } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SANDBOX = 'sandbox/main.ts'

interface SandboxProcess {
  command: Command
  v1(path: string, body?: object): Promise<Record<string, unknown>>
  pay(order_id: string): Promise<Record<string, unknown>>
}

async function startSandboxProcess(data: string, webhookUrl: string): Promise<SandboxProcess> {
  const port = await freePort()
  const options = [
    '--port',
    String(port),
    '--data',
    data,
    '--webhook-url',
    webhookUrl,
    '--first-pause',
    '50'
  ]
  const command = startCommand([SANDBOX, ...options])
  await command.waitForOutput(/RAZORPAY_CHECKOUT_URL/)
  const setting = (name: string): string =>
    new RegExp(`RAZORPAY_${name}=(\\S+)`).exec(command.output())?.[1] ?? ''
  const authorization = `Basic ${btoa(`${setting('KEY_ID')}:${setting('KEY_SECRET')}`)}`
  const send = async (url: string, body?: object): Promise<Record<string, unknown>> => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(url, {
      headers: { authorization, 'content-type': 'application/json' },
      ...init
    })
    return (await response.json()) as Record<string, unknown>
  }
  return {
    command,
    v1: (path, body) => send(`${setting('API_BASE')}${path}`, body),
    async pay(order_id) {
      const form = new URLSearchParams({ key_id: setting('KEY_ID'), order_id, outcome: 'paid' })
      const response = await fetch(`${setting('API_BASE')}/payments/create/ajax`, {
        method: 'POST',
        body: form
      })
      return (await response.json()) as Record<string, unknown>
    }
  }
}

async function listen(receivedIds: string[], status: () => number): Promise<string> {
  const server: Server = createServer((request, response) => {
    const code = status()
    if (code === 200) receivedIds.push(String(request.headers['x-razorpay-event-id']))
    request.resume().on('end', () => response.writeHead(code).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('Sandbox as a separate process', () => {
  test('keeps its data after SIGKILL and sends undelivered webhooks after a restart', async () => {
    const data = await temporaryFolder()
    const receivedIds: string[] = []
    let status = 503
    const webhookUrl = await listen(receivedIds, () => status)
    const first = await startSandboxProcess(data, webhookUrl)
    const order = await first.v1('/orders', {
      amount: 5000,
      currency: 'INR',
      payment: { capture: 'automatic' }
    })
    const { razorpay_payment_id: payment } = await first.pay(String(order['id']))
    await first.command.stop('SIGKILL')
    expect(receivedIds).toEqual([])

    status = 200
    const second = await startSandboxProcess(data, webhookUrl)
    expect(await second.v1(`/orders/${String(order['id'])}`)).toMatchObject({
      status: 'paid',
      amount_paid: 5000
    })
    expect(await second.v1(`/payments/${String(payment)}`)).toMatchObject({ status: 'captured' })
    await expect.poll(() => new Set(receivedIds).size, { timeout: 10_000 }).toBe(3)
    expect(await second.command.stop('SIGTERM')).toBe(0)
  })

  test('uses the keys from the environment', async () => {
    const env = {
      RAZORPAY_KEY_ID: 'rzp_test_own',
      RAZORPAY_KEY_SECRET: 'secret',
      RAZORPAY_WEBHOOK_SECRET: 'the new webhook secret, the old webhook secret'
    }
    const command = startCommand(
      [SANDBOX, '--port', String(await freePort()), '--data', await temporaryFolder()],
      env
    )
    await command.waitForOutput(/RAZORPAY_CHECKOUT_URL/)
    expect(command.output()).toContain('RAZORPAY_KEY_ID=rzp_test_own\n')
    expect(command.output()).toContain('RAZORPAY_WEBHOOK_SECRET=the new webhook secret\n')
  })

  test('prints a one-line error for invalid options', async () => {
    const command = startCommand([SANDBOX, '--port', 'many'])
    await command.waitForOutput(/\n/)
    expect(command.output().trim()).toMatch(
      /^The sandbox could not start: --port must be a whole number[^\n]*$/
    )
  })
})
