import { ShopError } from '#lib/errors.ts'
import type { OrderLineRow, OrderRow } from '../../db/order-tables.ts'
import { failpoint } from '../../failpoints.ts'
import { PaymentError, type OrderDraft, type ProviderOrder } from '../../gateways/payments.ts'
import { findLinesOf, findOrder } from '../../queries/orders/orders.ts'
import { setProviderOrder } from '../../queries/orders/transitions.ts'
import type { CheckoutDeps } from './deps.ts'

/** What of an order's lines the provider is told, for the day on which our own data were lost. */
type NotedLine = Pick<OrderLineRow, 'product_id' | 'quantity' | 'percent'>

/** An order that has the provider's order, to be paid there. */
export type PayableOrder = OrderRow & { provider_order_id: string }

const NOTES = { most: 15, length: 256 } as const

// Who presses twice waits for the first press.
const inProgress = new Map<string, Promise<PayableOrder>>()

/**
 * Gives an order the provider's order, the one that it has or else a new one. Only what is bound is ever shown to a
 * browser, so that no other can be paid. With the `lines` of a new order nobody can have asked the provider before.
 * Throws ShopError PAYMENTS_UNAVAILABLE, CHECKOUT_CHANGED.
 */
export function ensureProviderOrder(
  deps: CheckoutDeps,
  order: OrderRow,
  lines?: readonly NotedLine[]
): Promise<PayableOrder> {
  const { provider_order_id } = order
  if (provider_order_id !== null) return Promise.resolve({ ...order, provider_order_id })
  const known = inProgress.get(order.id)
  if (known) return known
  const work = ensureOnce(deps, order, lines).finally(() => inProgress.delete(order.id))
  inProgress.set(order.id, work)
  return work
}

async function ensureOnce(deps: CheckoutDeps, order: OrderRow, lines?: readonly NotedLine[]): Promise<PayableOrder> {
  const { id, total: amount, currency } = order
  const notes = notesOf(deps, order, lines ?? (await findLinesOf(deps.database.kysely, id)))
  failpoint('before-provider')
  const found = await createProviderOrder(deps, { amount, currency, receipt: id, notes }, lines !== undefined)
  failpoint('after-provider')
  const bound =
    (await deps.write(trx => setProviderOrder(trx, id, found.id))) ?? (await findOrder(deps.database.kysely, id))
  failpoint('after-bind')
  if (bound?.payment_state !== 'awaiting' || bound.provider_order_id === null) throw new ShopError('CHECKOUT_CHANGED')
  return { ...bound, provider_order_id: bound.provider_order_id }
}

/**
 * The provider's order for a receipt: the one that it has, or a new one. Should two be made after all, one of them is never
 * shown to anybody. Throws ShopError PAYMENTS_UNAVAILABLE.
 */
export async function createProviderOrder(
  { payments: { gateway }, log }: Pick<CheckoutDeps, 'payments' | 'log'>,
  draft: OrderDraft,
  isNew: boolean
): Promise<ProviderOrder> {
  const findExisting = async (): Promise<ProviderOrder | undefined> => {
    const found = await gateway.findOrder(draft.receipt)
    return found?.amount === draft.amount && found.currency === draft.currency ? found : undefined
  }
  try {
    const known = isNew ? undefined : await findExisting()
    return known ?? (await gateway.createOrder(draft).catch(retryCreate))
  } catch (cause) {
    if (!(cause instanceof PaymentError)) throw cause
    log.warn({ err: cause, order: draft.receipt }, 'The payment provider made no order')
    throw new ShopError('PAYMENTS_UNAVAILABLE', { cause })
  }

  async function retryCreate(error: unknown): Promise<ProviderOrder> {
    if (!(error instanceof PaymentError) || error.kind !== 'unavailable' || error.isTimeout) throw error
    return (await findExisting()) ?? gateway.createOrder(draft)
  }
}

/** What tells, even when our own data were lost, which shop's order it is and what was ordered. */
function notesOf({ config }: CheckoutDeps, order: OrderRow, lines: readonly NotedLine[]): Record<string, string> {
  const notes = { ...shopNotes(config, order.id), number: order.order_no }
  const room = NOTES.most - Object.keys(notes).length
  const texts: string[] = []
  for (const line of lines) {
    const text = `${line.quantity} x ${line.product_id}${line.percent === null ? '' : ` -${line.percent}%`}`
    const joined = `${texts.at(-1) ?? ''}, ${text}`
    if (texts.length > 0 && joined.length <= NOTES.length) texts[texts.length - 1] = joined
    else texts.push(text)
  }
  const items = texts.slice(0, room).map((text, index) => [`items${index + 1}`, text.slice(0, NOTES.length)])
  return { ...notes, ...(Object.fromEntries(items) as Record<string, string>) }
}

export function shopNotes({ siteUrl }: CheckoutDeps['config'], receipt: string): { shop: string; order: string } {
  return { shop: siteUrl.slice(0, NOTES.length), order: receipt }
}
