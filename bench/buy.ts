import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { ADDRESS, CUSTOMER } from '../tests/faults/rounds/checkout.ts'

/** What the process is to do, as JSON in the file that is named on its command line; it prints a `Took`. */
export interface Errand {
  /** `buy`: whole checkouts; `tell`: webhooks of payments that nobody has told of; `open`: opens payments; `read`: a product, one after another. */
  what: 'buy' | 'tell' | 'open' | 'read'
  shop: string
  provider: string
  webhookSecret: string
  tokens: string[]
  count: number
  atOnce: number
}

/** In ms, of each that was done. */
export interface Took {
  seconds: number
  each: number[]
}

const PRICE = 89
const ITEMS = [{ product: 'sambar-powder', quantity: 1 }]

const errand = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Errand
const agent = new Agent({ keepAlive: true, maxSockets: errand.atOnce })
const { shop, provider, webhookSecret, tokens } = errand
const each: number[] = []
let next = 0

const DO: Record<Errand['what'], (token: string) => Promise<number>> = { buy, tell, open: openOnly, read }

const began = performance.now()
await Promise.all(Array.from({ length: errand.atOnce }, inTurn))
const took: Took = { seconds: (performance.now() - began) / 1000, each }
process.stdout.write(JSON.stringify(took))
agent.destroy()

async function inTurn(): Promise<void> {
  while (next < errand.count) each.push(await DO[errand.what](tokens[next++ % tokens.length] ?? ''))
}

async function buy(token: string): Promise<number> {
  const start = performance.now()
  const proof = await pay(await open(token))
  // A webhook may have been quicker.
  await expect([200, 201], call(`${shop}/orders`, proof, bearer(token)))
  return performance.now() - start
}

async function tell(token: string): Promise<number> {
  const { razorpay_payment_id: id } = JSON.parse(await pay(await open(token))) as { razorpay_payment_id: string }
  const body = JSON.stringify({ event: 'payment.captured', payload: { payment: { entity: { id } } } })
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
  const headers = { 'x-razorpay-event-id': `evt_${randomUUID()}`, 'x-razorpay-signature': signature }
  const start = performance.now()
  await expect([200], call(`${shop}/payments/razorpay-webhook`, body, headers))
  return performance.now() - start
}

/** However it is answered. */
async function openOnly(token: string): Promise<number> {
  const start = performance.now()
  await call(`${shop}/payments/razorpay-order`, wish(), bearer(token))
  return performance.now() - start
}

async function read(): Promise<number> {
  const start = performance.now()
  await expect([200], call(`${shop}/products/${ITEMS[0]?.product}`))
  return performance.now() - start
}

async function open(token: string): Promise<string> {
  const answer = await expect([200], call(`${shop}/payments/razorpay-order`, wish(), bearer(token)))
  return (JSON.parse(answer) as { id: string }).id
}

function pay(order_id: string): Promise<string> {
  return expect([200], call(`${provider}/_emu/pay`, JSON.stringify({ order_id })))
}

function wish(): string {
  const whom = { customerDetails: CUSTOMER, shippingAddress: ADDRESS }
  return JSON.stringify({ amount: PRICE, items: ITEMS, checkoutKey: randomUUID(), ...whom })
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

async function expect(statuses: readonly number[], answer: Promise<{ status: number; text: string }>): Promise<string> {
  const given = await answer
  if (!statuses.includes(given.status)) throw new Error(`It answered ${given.status}: ${given.text}`)
  return given.text
}

function call(
  url: string,
  body?: string,
  more: Record<string, string> = {}
): Promise<{ status: number; text: string }> {
  const headers = { ...more, ...(body !== undefined && { 'content-type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', agent, headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', part => (text += part))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text })).once('error', reject)
    })
    sent.once('error', reject).end(body)
  })
}
