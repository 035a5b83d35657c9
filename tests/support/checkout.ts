import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Language } from '#lib/constants.ts'
import type { Staff } from '#lib/contract/names.ts'
import type { Order as ShopOrder } from '#lib/contract/orders.ts'
import type { PaymentOrder, CartEntry, Quote } from '#lib/contract/checkout.ts'
import {
  processWebhookEvents,
  reconcilePayments,
  reconcileRecent,
  sendRefunds
} from '#server/orders/payment/jobs.ts'
import { PaymentError, createRazorpay } from '#server/razorpay/client.ts'
import { hmac } from '#server/razorpay/config.ts'
import type { Order, Payment, PaymentResponse, Refund } from '../../sandbox/objects.ts'
import { updateFulfilment } from '#server/orders/desk/status.ts'
import { updateUser } from '#server/accounts/users.ts'
import { readAdminOrder } from '#server/orders/desk/orders.ts'
import { MINUTE } from '#lib/time.ts'
import { call, insertAccount, type Call } from './accounts.ts'
import type { Engine } from './database.ts'
import { violations } from './invariants.ts'
import { SANDBOX_KEYS, startSandbox, type TestSandbox } from './sandbox.ts'
import { openShop, testClock, type Reply, type Shop, type ShopOptions } from './shop.ts'

export const CUSTOMER = { name: 'Anita Kumar', email: 'anita@example.com', phone: '9876543210' }
export const ADDRESS = {
  street: '14 Nandi Koil Street',
  city: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}

export type CheckoutShop = Awaited<ReturnType<typeof openCheckoutShop>>

export interface Shopper {
  id: string
  name: string
  token: string
  ip?: string
  /** Of the pages on which it orders. */
  language?: Language
}

const DEFAULT_STOCK = 20

export function sendWebhook(
  shop: Shop,
  body: string,
  signature = hmac(SANDBOX_KEYS.webhookSecret, body),
  id: string = randomUUID()
): Promise<Reply> {
  return shop.request({
    method: 'POST',
    url: '/api/payments/razorpay-webhook',
    payload: body,
    headers: {
      'content-type': 'application/json',
      'x-razorpay-event-id': id,
      'x-razorpay-signature': signature
    }
  })
}

export async function openCheckoutShop(engine: Engine, options: ShopOptions = {}) {
  const clock = options.clock ?? testClock()
  const webhookTarget: { shop?: Shop } = {}
  const sandbox = await startSandbox({
    clock,
    async onWebhook({ id, signature, body }) {
      const { shop } = webhookTarget
      return shop !== undefined && (await sendWebhook(shop, body, signature, id)).status === 200
    }
  })
  const shop = await openShop(engine, {
    gateway: createRazorpay({ ...sandbox.razorpay, isSandbox: false }, { backoff: [1, 1] }),
    ...options,
    clock,
    config: { ...options.config, razorpay: sandbox.razorpay }
  })
  webhookTarget.shop = shop
  const initial = Object.fromEntries(
    Object.entries(options.products ?? {}).map(([id, { stock = DEFAULT_STOCK }]) => [id, stock])
  )
  return {
    ...shop,
    sandbox,
    async deliverWebhooks() {
      await sandbox.deliver()
      await shop.app.whenIdle()
    },
    /** Runs the payment jobs once; provider errors are ignored. */
    async reconcile() {
      for (const job of [processWebhookEvents, reconcilePayments, reconcileRecent, sendRefunds]) {
        await job(shop.app, 'this shop').catch((error: unknown) => {
          if (!(error instanceof PaymentError)) throw error
        })
      }
    },
    /** Returns the violated invariants of money and stock. Tests expect an empty list. */
    async violations() {
      return violations(shop.database, { initial, provider: await providerStateOf(sandbox) })
    },
    async stockOf(product: string) {
      const row = await shop.database.kysely
        .selectFrom('products')
        .select('stock')
        .where('id', '=', product)
        .executeTakeFirstOrThrow()
      return row.stock
    }
  }
}

export const LEMONS: CartEntry[] = [{ product: 'lemon', quantity: 2 }]

/** Opens a shop with ten packs of pickle for ₹120 and 20 packs of sweets for ₹180.50. */
export async function openLemonShop(
  engine: Engine = 'sqlite',
  { products, ...options }: ShopOptions = {}
) {
  const shop = await openCheckoutShop(engine, {
    ...options,
    products: {
      lemon: { category: 'pickles', price: 120, stock: 10 },
      laddu: { price: 180.5 },
      ...products
    }
  })
  expectInvariants(shop)
  return { shop, anita: await addShopper(shop, 'anita'), bala: await addShopper(shop, 'bala') }
}

/** The test fails if it leaves money or stock in a state that must not happen. */
export function expectInvariants(shop: CheckoutShop): void {
  onTestFinished(async () => {
    await shop.sandbox.setFaults({})
    const found = await shop.violations()
    if (found.length > 0) throw new Error(found.join('\n'))
  })
}

/** `timeout` in ms. */
export function setProviderTimeout({ app }: Shop, timeout: number): void {
  app.payments.gateway = createRazorpay(app.payments.settings, { timeout, backoff: [] })
}

async function providerStateOf({ call }: TestSandbox) {
  const payments = await fetchAll<Payment>(call, '/payments')
  const refunds = await Promise.all(
    payments.map(({ id }) => fetchAll<Refund>(call, `/payments/${id}/refunds`))
  )
  return { orders: await fetchAll<Order>(call, '/orders'), payments, refunds: refunds.flat() }
}

async function fetchAll<Entity>(call: TestSandbox['call'], path: string) {
  const entities: Entity[] = []
  for (;;) {
    const { body } = await call('GET', `${path}?count=100&skip=${entities.length}`)
    const items = body['items'] as Entity[]
    entities.push(...items)
    if (items.length < 100) return entities
  }
}

export async function addShopper(
  shop: Shop,
  name = `shopper-${randomUUID().slice(0, 8)}`,
  staff: Staff | null = null
): Promise<Shopper> {
  const shopper = {
    id: randomUUID(),
    name,
    token: randomUUID().replaceAll('-', '').padEnd(43, 'x')
  }
  await shop.write(trx => insertAccount(trx, shopper, staff, shop.clock()))
  return shopper
}

/** An account with a password, whose email address nobody has verified. */
export async function addUnverified(shop: Shop, ip?: string): Promise<Shopper> {
  const shopper = await addShopper(shop)
  await shop.write(trx => updateUser(trx, shopper.id, { verified_at: null }))
  return { ...shopper, ...(ip !== undefined && { ip }) }
}

/** Buys something and gets it, so that the account is no longer limited as a new one. */
export async function addCustomer(shop: CheckoutShop, items: CartEntry[]): Promise<Shopper> {
  const shopper = await addShopper(shop)
  const { _id } = await buy(shop, shopper, items)
  await advanceOrder(shop, _id, 'packed')
  await advanceOrder(shop, _id, 'delivered')
  return shopper
}

interface CheckoutRequest {
  items?: CartEntry[]
  /** In rupees. The default is the quoted total. */
  amount?: number
  key?: string
  extra?: object
}

export async function requestPayment(
  shop: Shop,
  shopper: Shopper,
  { items = LEMONS, amount, key, extra }: CheckoutRequest = {}
): Promise<Reply> {
  const total = amount ?? (await quoteOf(shop, shopper, items)).total
  return callAs(shopper, shop, 'POST /payments/razorpay-order', {
    amount: total,
    items,
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS,
    checkoutKey: key ?? randomUUID(),
    ...extra
  })
}

export async function quoteOf(shop: Shop, shopper: Shopper, lines: CartEntry[]): Promise<Quote> {
  return (await callAs(shopper, shop, 'POST /cart/quote', { lines })).body as Quote
}

export async function openPayment(
  shop: Shop,
  shopper: Shopper,
  request: CheckoutRequest = {}
): Promise<PaymentOrder & { id: string }> {
  const reply = await requestPayment(shop, shopper, request)
  const order = reply.body as PaymentOrder
  if (reply.status !== 200 || order.id === null) throw new Error(`${reply.status} ${reply.text}`)
  return { ...order, id: order.id }
}

export function placeOrder(
  shop: Shop,
  shopper: Shopper,
  response: PaymentResponse
): Promise<Reply> {
  return callAs(shopper, shop, 'POST /orders', response)
}

export async function buy(
  shop: CheckoutShop,
  shopper: Shopper,
  items = LEMONS,
  extra?: object
): Promise<ShopOrder> {
  const { id } = await openPayment(shop, shopper, { items, ...(extra && { extra }) })
  return orderOf(await placeOrder(shop, shopper, await shop.sandbox.pay(id)))
}

export function callAs(
  { token, ip, language }: Shopper,
  shop: Shop,
  line: string,
  body?: Call['body']
): Promise<Reply> {
  const from = { ...(ip !== undefined && { ip }), ...(language && { language }) }
  return call(shop, line, { token, body, ...from })
}

export function orderOf(reply: Reply): ShopOrder {
  if (reply.status > 202) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body as ShopOrder
}

export async function myOrders(shop: Shop, shopper: Shopper): Promise<ShopOrder[]> {
  return (await callAs(shopper, shop, 'GET /orders/my-orders')).body as ShopOrder[]
}

/** Sends the due mails. Returns the subjects of all mails, or of those to an address. */
export async function subjectsOf(shop: Shop, address?: string): Promise<string[]> {
  await shop.deliverMails()
  return shop.mails.flatMap(({ to, subject }) =>
    address === undefined || to === address ? subject : []
  )
}

export const refundsOf = ({ database }: Shop) =>
  database.kysely
    .selectFrom('refunds')
    .select(['amount', 'part', 'reason', 'seq', 'state'])
    .orderBy('seq')
    .execute()

export async function advanceOrder(
  { app }: Shop,
  id: string,
  to: 'packed' | 'delivered'
): Promise<ShopOrder> {
  await updateFulfilment(app, id, { from: to === 'packed' ? 'pending' : 'packed', to, actor: null })
  return readAdminOrder(app, id)
}

export async function attemptPayment(
  shop: CheckoutShop,
  order_id: string,
  outcome: 'pending' | 'authorized' | 'failed'
): Promise<string> {
  await shop.sandbox.control('POST', '/pay', { order_id, outcome })
  const { body } = await shop.sandbox.call('GET', `/orders/${order_id}/payments`)
  return (body['items'] as { id: string }[])[0]?.id ?? ''
}

export async function stateOf(
  shop: CheckoutShop,
  shopper: Shopper,
  orderId: string
): Promise<string> {
  const { body } = await callAs(shopper, shop, `GET /orders/${orderId}`)
  const { status, paymentStatus } = body as ShopOrder
  return `${status} ${paymentStatus}`
}

export async function advanceAndReconcile(shop: CheckoutShop, ms: number): Promise<void> {
  for (const until = shop.clock() + ms; shop.clock() < until;) {
    shop.clock.advance(Math.min(10 * MINUTE, until - shop.clock()))
    await shop.reconcile()
  }
}
