import type { Database } from '#server/db/connect.ts'
import { violations, type ProviderBook } from '../../support/invariants.ts'
import { INITIAL } from './goods.ts'
import type { Book } from './provider.ts'
import type { Witness } from './witness.ts'
import type { World } from './world.ts'

/** What has gone wrong with money and goods, by the shop's own data, the provider's books and what buyers were told. */
export async function verdict(
  world: World,
  database: Database,
  settledAt: number,
  witness: Witness
): Promise<string[]> {
  const book = world.provider.book()
  const orders = await readOrders(database)
  return [
    ...witness.wrong,
    ...world.seats.flatMap(seat => seat.complaints().map(line => `A shop complained: ${line}`)),
    ...(await violations(database, { initial: INITIAL, provider: book, settledAt })),
    ...book.payments.flatMap(payment => unsettled(payment, orders, book)),
    ...orders.flatMap(order => unpaid(order, book)),
    ...unkeyed(book),
    ...broken(witness, orders)
  ]
}

type OrderState = Awaited<ReturnType<typeof readOrders>>[number]
type Payment = ProviderBook['payments'][number]

function readOrders({ kysely }: Database): Promise<
  {
    id: string
    user_id: string
    payment_state: string
    paid_payment_id: string | null
    provider_order_id: string | null
    total: number
  }[]
> {
  return kysely
    .selectFrom('orders')
    .select(['id', 'user_id', 'payment_state', 'paid_payment_id', 'provider_order_id', 'total'])
    .execute()
}

/** I1 by the provider's own books: what it has collected is one paid order, or has gone back in full and once. */
function unsettled(
  { id, captured, amount, amount_refunded }: Payment,
  orders: OrderState[],
  book: ProviderBook
): string[] {
  if (!captured) return []
  const paid = orders.filter(order => order.paid_payment_id === id && order.payment_state === 'paid').length
  const back = book.refunds.filter(refund => refund.payment_id === id && refund.status !== 'failed').length
  const isOrder = paid === 1 && back === 0 && amount_refunded === 0
  const isRefund = paid === 0 && back === 1 && amount_refunded === amount
  return isOrder || isRefund
    ? []
    : [`I1 payment ${id} of ${amount} is ${paid} orders and ${back} refunds of ${amount_refunded}`]
}

/** I2 likewise: nothing counts as paid that was not collected. */
function unpaid(order: OrderState, { payments }: ProviderBook): string[] {
  if (order.payment_state !== 'paid' || order.total === 0) return []
  const payment = payments.find(({ id }) => id === order.paid_payment_id)
  const isSo =
    payment?.captured === true && payment.amount === order.total && payment.order_id === order.provider_order_id
  return isSo ? [] : [`I2 order ${order.id} counts as paid by ${JSON.stringify(payment)}`]
}

/** I9: what is asked for again must be the same refund, so each has its own key. */
function unkeyed({ refunds, keys }: Book): string[] {
  return refunds.flatMap(({ id, receipt }) =>
    keys.get(id) === receipt ? [] : [`I9 refund ${id} was asked for with the key ${keys.get(id)} and not ${receipt}`]
  )
}

/** What was answered stays true: a crash after the answer takes nothing back. */
function broken({ promised, opened }: Witness, orders: OrderState[]): string[] {
  const byId = new Map(orders.map(order => [order.id, order]))
  const lost = [...opened].flatMap(([id, { buyer, providerOrder }]) => {
    const order = byId.get(id)
    const isKept = order?.user_id === buyer && order.provider_order_id === providerOrder
    return isKept ? [] : [`Order ${id} was answered and is ${JSON.stringify(order)}`]
  })
  const unkept = [...promised].flatMap(([id, payment]) => {
    const order = byId.get(id)
    const isKept = order?.paid_payment_id === payment && /^(paid|refund_due|refunded)$/.test(order.payment_state)
    return isKept ? [] : [`Order ${id} was promised for ${payment} and is ${JSON.stringify(order)}`]
  })
  return [...lost, ...unkept]
}
