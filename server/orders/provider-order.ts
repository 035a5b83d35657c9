import { ShopError } from '#lib/errors.ts'
import type { OrderLineRow, OrderRow } from '../platform/db/order-tables.ts'
import { reachFailpoint } from '../platform/process/failpoints.ts'
import { PaymentError, type OrderDraft, type ProviderOrder } from '../razorpay/payments.ts'
import { findLinesOf, findOrder } from './order-queries.ts'
import { setProviderOrder } from './transitions.ts'
import type { CheckoutDeps } from './deps.ts'

/** Order lines are copied into the provider order's notes, so that orders can be reconstructed after a data loss. */
type NoteLine = Pick<OrderLineRow, 'product_id' | 'quantity' | 'percent'>

export type PayableOrder = OrderRow & { provider_order_id: string }

const NOTE_LIMITS = { maxNotes: 15, maxLength: 256 } as const

// Concurrent requests for one order share one provider call.
const inProgress = new Map<string, Promise<PayableOrder>>()

/**
 * Saves the provider order before it is sent to the browser, so that a shopper can only pay an order that is in our
 * database. Pass `lines` only for a new order. Throws CHECKOUT_CHANGED, PAYMENTS_UNAVAILABLE.
 */
export function ensureProviderOrder(
  deps: CheckoutDeps,
  order: OrderRow,
  lines?: readonly NoteLine[]
): Promise<PayableOrder> {
  const { provider_order_id } = order
  if (provider_order_id !== null) return Promise.resolve({ ...order, provider_order_id })
  const running = inProgress.get(order.id)
  if (running) return running
  const promise = findOrCreate(deps, order, lines).finally(() => inProgress.delete(order.id))
  inProgress.set(order.id, promise)
  return promise
}

async function findOrCreate(deps: CheckoutDeps, order: OrderRow, lines?: readonly NoteLine[]): Promise<PayableOrder> {
  const { id, total: amount, currency } = order
  const notes = makeNotes(deps, order, lines ?? (await findLinesOf(deps.database.kysely, id)))
  reachFailpoint('before-provider')
  const found = await createProviderOrder(deps, { amount, currency, receipt: id, notes }, lines !== undefined)
  reachFailpoint('after-provider')
  const saved =
    (await deps.write(trx => setProviderOrder(trx, id, found.id))) ?? (await findOrder(deps.database.kysely, id))
  reachFailpoint('provider-order-saved')
  if (saved?.payment_state !== 'awaiting' || saved.provider_order_id === null) throw new ShopError('CHECKOUT_CHANGED')
  return { ...saved, provider_order_id: saved.provider_order_id }
}

/**
 * After a network failure, the provider may have two orders with the same receipt. The shop uses only one of them.
 * Throws PAYMENTS_UNAVAILABLE.
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
    const existing = isNew ? undefined : await findExisting()
    return existing ?? (await gateway.createOrder(draft).catch(retryCreate))
  } catch (cause) {
    if (!(cause instanceof PaymentError)) throw cause
    log.warn({ err: cause, order: draft.receipt }, 'Creating the provider order failed')
    throw new ShopError('PAYMENTS_UNAVAILABLE', { cause })
  }

  async function retryCreate(error: unknown): Promise<ProviderOrder> {
    if (!(error instanceof PaymentError) || error.kind !== 'unavailable' || error.isTimeout) throw error
    return (await findExisting()) ?? gateway.createOrder(draft)
  }
}

function makeNotes({ config }: CheckoutDeps, order: OrderRow, lines: readonly NoteLine[]): Record<string, string> {
  const notes = { ...shopNotes(config, order.id), number: order.order_no }
  const maxItemNotes = NOTE_LIMITS.maxNotes - Object.keys(notes).length
  const texts: string[] = []
  for (const line of lines) {
    const text = `${line.quantity} x ${line.product_id}${line.percent === null ? '' : ` -${line.percent}%`}`
    const joined = `${texts.at(-1) ?? ''}, ${text}`
    if (texts.length > 0 && joined.length <= NOTE_LIMITS.maxLength) texts[texts.length - 1] = joined
    else texts.push(text)
  }
  const items = texts
    .slice(0, maxItemNotes)
    .map((text, index) => [`items${index + 1}`, text.slice(0, NOTE_LIMITS.maxLength)])
  return { ...notes, ...(Object.fromEntries(items) as Record<string, string>) }
}

export function shopNotes({ siteUrl }: CheckoutDeps['config'], receipt: string): { shop: string; order: string } {
  return { shop: siteUrl.slice(0, NOTE_LIMITS.maxLength), order: receipt }
}
