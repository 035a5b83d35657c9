import { randomUUID } from 'node:crypto'
import type { Order, PaymentOrder } from '#lib/contract/orders.ts'
import type { CartEntry, Quote } from '#lib/contract/cart.ts'
import type { PaymentProof } from '#server/sandbox/provider/signatures.ts'
import { tokenHash } from '#server/actions/accounts/open-session.ts'
import { insertSession } from '#server/queries/sessions.ts'
import { insertUser } from '#server/queries/users.ts'
import { call, type Call } from './accounts.ts'
import type { Engine } from './database.ts'
import { startSandbox, type TestSandbox } from './sandbox.ts'
import { openShop, testClock, type Reply, type Shop, type ShopOptions } from './shop.ts'

/** A shop whose shoppers can pay, at an emulated provider of its own. */
export interface Market extends Shop {
  sandbox: TestSandbox
  /** The provider's webhooks that are due reach the shop, and what they cause is done. */
  hear(): Promise<void>
  stockOf(product: string): Promise<number>
}

export interface Shopper {
  id: string
  name: string
  token: string
}

export const CUSTOMER = { name: 'Anita Kumar', email: 'anita@example.com', phone: '9876543210' }
export const ADDRESS = {
  street: '14 Nandi Koil Street',
  city: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}

export async function openMarket(engine: Engine, options: ShopOptions = {}): Promise<Market> {
  const clock = options.clock ?? testClock()
  const listening: { shop?: Shop } = {}
  const sandbox = await startSandbox({
    clock,
    async hears({ id, signature, body }) {
      const reply = await listening.shop?.request({
        method: 'POST',
        url: '/api/payments/razorpay-webhook',
        payload: body,
        headers: {
          'content-type': 'application/json',
          'x-razorpay-event-id': id,
          'x-razorpay-signature': signature
        }
      })
      return reply?.status === 200
    }
  })
  const shop = await openShop(engine, {
    ...options,
    clock,
    config: { ...options.config, razorpay: sandbox.razorpay }
  })
  listening.shop = shop
  return {
    ...shop,
    sandbox,
    async hear() {
      await sandbox.deliver()
      await shop.app.rested()
    },
    async stockOf(product) {
      const row = await shop.database.kysely
        .selectFrom('products')
        .select('stock')
        .where('id', '=', product)
        .executeTakeFirstOrThrow()
      return row.stock
    }
  }
}

/** Somebody who is logged in. */
export async function newShopper(shop: Shop, name = `shopper-${randomUUID().slice(0, 8)}`): Promise<Shopper> {
  const [id, token] = [randomUUID(), randomUUID().replaceAll('-', '').padEnd(43, 'x')]
  const now = shop.clock()
  const at = new Date(now).toISOString()
  await shop.write(async trx => {
    const draft = { id, email: `${name}@example.com`, name, role: 'user', password_hash: null } as const
    await insertUser(trx, { ...draft, verified_at: at, created_at: at })
    await insertSession(trx, id, tokenHash(token) ?? '', now)
  })
  return { id, name, token }
}

interface Wanted {
  items: CartEntry[]
  /** In rupees; what the shop asks, unless given. */
  amount?: number
  key?: string
  more?: object
}

/** Presses Pay Now. */
export async function checkOut(shop: Shop, shopper: Shopper, { items, amount, key, more }: Wanted): Promise<Reply> {
  const total = amount ?? (await quoteOf(shop, shopper, items)).total
  return as(shopper, shop, 'POST /payments/razorpay-order', {
    amount: total,
    items,
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS,
    checkoutKey: key ?? randomUUID(),
    ...more
  })
}

export async function quoteOf(shop: Shop, shopper: Shopper, lines: CartEntry[]): Promise<Quote> {
  return (await as(shopper, shop, 'POST /cart/quote', { lines })).body as Quote
}

/** Opens a payment, which must succeed. */
export async function opened(shop: Shop, shopper: Shopper, wanted: Wanted): Promise<PaymentOrder & { id: string }> {
  const reply = await checkOut(shop, shopper, wanted)
  const order = reply.body as PaymentOrder
  if (reply.status !== 200 || order.id === null) throw new Error(`${reply.status} ${reply.text}`)
  return { ...order, id: order.id }
}

/** What the page sends after the provider's handler. */
export function place(shop: Shop, shopper: Shopper, proof: PaymentProof): Promise<Reply> {
  return as(shopper, shop, 'POST /orders', proof)
}

/** A whole checkout, as it goes when nothing goes wrong. */
export async function buy(shop: Market, shopper: Shopper, items: CartEntry[], more?: object): Promise<Order> {
  const { id } = await opened(shop, shopper, { items, ...(more && { more }) })
  return orderOf(await place(shop, shopper, await shop.sandbox.pay(id)))
}

export function as({ token }: Shopper, shop: Shop, line: string, body?: Call['body']): Promise<Reply> {
  return call(shop, line, { token, body })
}

export function orderOf(reply: Reply): Order {
  if (reply.status > 202) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body as Order
}

export async function myOrders(shop: Shop, shopper: Shopper): Promise<Order[]> {
  return (await as(shopper, shop, 'GET /orders/my-orders')).body as Order[]
}
