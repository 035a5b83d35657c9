import { randomUUID } from 'node:crypto'
import type { Order, PaymentOrder } from '#lib/contract/orders.ts'
import type { PaymentProof } from '#server/sandbox/provider/signatures.ts'
import { ask, insist, pick, type Buyer, type Reply } from './calls.ts'
import { DEAL, GOODS, type Product } from './goods.ts'

/** What a buyer wants, and what it must cost by the buyer's own reckoning, in paise. */
export interface Wish {
  key: string
  items: { product: Product; quantity: number; dealId?: string }[]
  total: number
}

export type Opened = PaymentOrder & { id: string }

export const CUSTOMER = { name: 'Anita Kumar', email: 'anita@example.com', phone: '9876543210' }
export const ADDRESS = {
  street: '14 Nandi Koil Street',
  city: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}

const PRODUCTS = Object.keys(GOODS) as Product[]

/** `draw`: with what the buyer has drawn, if it is not used yet. */
export function wish({ random, account }: Buyer, draw = random(0, 10) < 3): Wish {
  const product = pick(PRODUCTS, random)
  const quantity = random(1, 4)
  const items: Wish['items'] = draw ? [{ product: DEAL.product, quantity: 1, dealId: DEAL.id }] : []
  if (!draw || random(0, 2) === 0) items.push({ product, quantity })
  const total = items.reduce((sum, item) => {
    const paise = Math.round(GOODS[item.product].price * 100)
    return sum + (item.dealId ? Math.floor((paise * (100 - account.percent) + 50) / 100) : paise) * item.quantity
  }, 0)
  return { key: randomUUID(), items, total }
}

/** Presses Pay Now until it is open, now and then twice at once. Undefined when the shop says no. */
export async function open(buyer: Buyer, wanted: Wish): Promise<Opened | undefined> {
  const body = {
    amount: wanted.total / 100,
    items: wanted.items,
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS,
    checkoutKey: wanted.key
  }
  const press = (): Promise<Reply> => insist(buyer, 'POST /payments/razorpay-order', body)
  const replies = await Promise.all(buyer.random(0, 5) === 0 ? [press(), press()] : [press()])
  const answers = replies.flatMap(({ status, body: answer }) => (status === 200 ? [answer as PaymentOrder] : []))
  for (const answer of answers) note(buyer, wanted, answer)
  const [first] = answers
  return first && first.id !== null ? { ...first, id: first.id } : undefined
}

function note({ witness, account }: Buyer, { total }: Wish, { orderId, id, amount }: PaymentOrder): void {
  if (id === null) return
  const known = witness.opened.get(orderId)
  if (known && known.providerOrder !== id)
    witness.wrong.push(`Order ${orderId} is to be paid as ${known.providerOrder} and as ${id}`)
  if (amount !== total) witness.wrong.push(`Order ${orderId} costs ${amount} paise and not ${total}`)
  witness.opened.set(orderId, { buyer: account.id, providerOrder: id })
}

/** Says what the provider's window gave; what is answered counts. */
export async function place(buyer: Buyer, proof: PaymentProof): Promise<Order | undefined> {
  const { status, body } = await insist(buyer, 'POST /orders', proof)
  if (status !== 200 && status !== 201) return undefined
  const order = body as Order
  if (order.razorpay_payment_id === proof.razorpay_payment_id) {
    buyer.witness.promised.set(order._id, proof.razorpay_payment_id)
  }
  return order
}

/** Looks at the own orders: they are there, and nobody else's. */
export async function look(buyer: Buyer): Promise<void> {
  const { witness, account } = buyer
  const { status, body } = await ask(buyer, 'GET /orders/my-orders')
  if (status !== 200) return
  for (const { _id } of body as Order[]) {
    const owner = witness.opened.get(_id)?.buyer
    if (owner !== undefined && owner !== account.id) witness.wrong.push(`${account.name} sees order ${_id} of ${owner}`)
  }
}
