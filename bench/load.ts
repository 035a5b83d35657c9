import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'

export interface Job {
  /** Either the URL of a GET request, or the shop and the provider of checkouts. */
  url?: string
  status?: number
  headers?: Record<string, string>
  shop?: string
  provider?: string
  tokens?: readonly string[]
  count: number
  connections: number
}

export interface Result {
  seconds: number
  latenciesMs: number[]
}

const ITEMS = [{ product: 'sambar-powder', quantity: 1 }]
const CUSTOMER = { name: 'Anita', email: 'anita@example.com', phone: '9876543210' }
const ADDRESS = {
  street: '4 Rockfort Road',
  city: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}

const job = JSON.parse(readFileSync(0, 'utf8')) as Job
const { url, status, headers, shop = '', provider = '', tokens = [], count, connections } = job
const dispatcher = new Agent({ connections })
const latenciesMs: number[] = []
let next = 0
const amount = url === undefined ? await readTotal() : 0

const startedAt = performance.now()
await Promise.all(Array.from({ length: connections }, runWorker))
const result: Result = { seconds: (performance.now() - startedAt) / 1000, latenciesMs }
process.stdout.write(JSON.stringify(result))
await dispatcher.close()

async function runWorker() {
  while (next < count) {
    const index = next++ % Math.max(1, tokens.length)
    const start = performance.now()
    await (url === undefined ? buy(index) : send(url, headers, undefined, status))
    latenciesMs.push(performance.now() - start)
  }
}

async function readTotal() {
  const body = JSON.stringify({ lines: ITEMS, pincode: ADDRESS.pincode })
  const headers = { 'content-type': 'application/json' }
  return (JSON.parse(await send(`${shop}/cart/quote`, headers, body)) as { total: number }).total
}

async function buy(buyer: number) {
  const json = {
    authorization: `Bearer ${tokens[buyer]}`,
    'content-type': 'application/json',
    'x-forwarded-for': `10.0.${Math.floor(buyer / 256)}.${buyer % 256}`
  }
  const order = JSON.stringify({
    items: ITEMS,
    amount,
    checkoutKey: randomUUID(),
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS
  })
  const opened = await send(`${shop}/payments/razorpay-order`, json, order)
  const { id, key } = JSON.parse(opened) as { id: string; key: string }
  const payment = new URLSearchParams({ key_id: key, order_id: id, outcome: 'paid' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const proof = await send(`${provider}/payments/create/ajax`, form, String(payment))
  await send(`${shop}/orders`, json, proof)
}

async function send(
  to: string,
  headers: Record<string, string> = {},
  body?: string,
  status?: number
) {
  const method = body === undefined ? 'GET' : 'POST'
  const reply = await request(to, { method, dispatcher, headers, body: body ?? null })
  const text = await reply.body.text()
  const isExpected = status === undefined ? reply.statusCode < 300 : reply.statusCode === status
  if (!isExpected) throw new Error(`${to} replied with status ${reply.statusCode}: ${text}`)
  return text
}
