import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { ADDRESS, CUSTOMER } from '../tests/support/recipient.ts'
import { buyerAddress } from '../tests/faults/rounds/seed.ts'

/**
 * The job of this process, read from a JSON file named on the command line. The process prints a
 * `LoadResult`.
 */
export interface LoadJob {
  action: 'buy' | 'sendWebhook' | 'openPayment' | 'readProduct'
  shop: string
  provider: string
  webhookSecret: string
  tokens: string[]
  count: number
  concurrency: number
}

export interface LoadResult {
  seconds: number
  latenciesMs: number[]
}

const PRICE = 89
const ITEMS = [{ product: 'sambar-powder', quantity: 1 }]

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as LoadJob
const dispatcher = new Agent({ connections: job.concurrency })
const { shop, provider, webhookSecret, tokens } = job
const latenciesMs: number[] = []
let nextIndex = 0

const ACTIONS: Record<LoadJob['action'], (token: string) => Promise<number>> = {
  buy,
  sendWebhook,
  openPayment,
  readProduct
}

const startedAt = performance.now()
await Promise.all(Array.from({ length: job.concurrency }, runWorker))
const result: LoadResult = { seconds: (performance.now() - startedAt) / 1000, latenciesMs }
process.stdout.write(JSON.stringify(result))
await dispatcher.close()

async function runWorker(): Promise<void> {
  while (nextIndex < job.count)
    latenciesMs.push(await ACTIONS[job.action](tokens[nextIndex++ % tokens.length] ?? ''))
}

async function buy(token: string): Promise<number> {
  const start = performance.now()
  const proof = await pay(await createPaymentOrder(token))
  // The status is 200 instead of 201 if the webhook arrived before this request.
  await expectStatus([200, 201], call(`${shop}/orders`, proof, authorization(token)))
  return performance.now() - start
}

async function sendWebhook(token: string): Promise<number> {
  const { razorpay_payment_id: id } = JSON.parse(await pay(await createPaymentOrder(token))) as {
    razorpay_payment_id: string
  }
  const body = JSON.stringify({
    event: 'payment.captured',
    payload: { payment: { entity: { id } } }
  })
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
  const headers = {
    'x-razorpay-event-id': `evt_${randomUUID()}`,
    'x-razorpay-signature': signature
  }
  const start = performance.now()
  await expectStatus([200], call(`${shop}/payments/razorpay-webhook`, body, headers))
  return performance.now() - start
}

async function openPayment(token: string): Promise<number> {
  const start = performance.now()
  await call(`${shop}/payments/razorpay-order`, checkoutBody(), authorization(token))
  return performance.now() - start
}

async function readProduct(): Promise<number> {
  const start = performance.now()
  await expectStatus([200], call(`${shop}/products/${ITEMS[0]?.product}`))
  return performance.now() - start
}

async function createPaymentOrder(token: string): Promise<string> {
  const reply = await expectStatus(
    [200],
    call(`${shop}/payments/razorpay-order`, checkoutBody(), authorization(token))
  )
  return (JSON.parse(reply) as { id: string }).id
}

function pay(order_id: string): Promise<string> {
  return expectStatus([200], call(`${provider}/_emu/pay`, JSON.stringify({ order_id })))
}

function checkoutBody(): string {
  const contact = { customerDetails: CUSTOMER, shippingAddress: ADDRESS }
  return JSON.stringify({ amount: PRICE, items: ITEMS, checkoutKey: randomUUID(), ...contact })
}

function authorization(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'x-forwarded-for': buyerAddress(tokens.indexOf(token))
  }
}

async function expectStatus(
  statuses: readonly number[],
  reply: Promise<{ status: number; text: string }>
): Promise<string> {
  const { status, text } = await reply
  if (!statuses.includes(status)) throw new Error(`Unexpected status ${status}: ${text}`)
  return text
}

async function call(
  url: string,
  body?: string,
  extraHeaders: Record<string, string> = {}
): Promise<{ status: number; text: string }> {
  const headers = {
    ...extraHeaders,
    ...(body !== undefined && { 'content-type': 'application/json' })
  }
  const method = body === undefined ? 'GET' : 'POST'
  const reply = await request(url, { method, dispatcher, headers, body: body ?? null })
  return { status: reply.statusCode, text: await reply.body.text() }
}
