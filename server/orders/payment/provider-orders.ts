import { CURRENCY } from '#lib/constants.ts'
import type { PaymentOrder } from '#lib/contract/checkout.ts'
import { ShopError } from '#lib/errors.ts'
import { toRupees, type Paise } from '#lib/money.ts'
import { toDayInIndia, isoNow, toIso } from '#lib/time.ts'
import type { OrderRow } from '../../platform/db/order-tables.ts'
import type { Trx } from '../../platform/db/tables.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { reachFailpoint } from '../../platform/process/failpoints.ts'
import { shareRunning } from '../../platform/process/work-queue.ts'
import {
  isRetryable,
  PaymentError,
  type ProviderOrder,
  type ProviderOrderDraft
} from '../../razorpay/client.ts'
import type { PaymentSettings } from '../../razorpay/config.ts'
import { readContact } from '../../settings/contact.ts'
import { releaseUnpaid } from '../checkout/reservations.ts'
import { findOrder, type CheckoutDeps } from '../queries.ts'
import { wrongKeyMail } from './mails.ts'
import { updateOrder } from './transitions.ts'

const THEME = { color: '#9B2C1F' } as const

const inProgress = new Map<string, Promise<string>>()

/** Saved before it is sent to the browser, so that a shopper can only pay a stored order. */
export async function ensureProviderOrder(
  deps: CheckoutDeps,
  shopId: string,
  order: OrderRow,
  isNew: boolean
): Promise<string> {
  if (order.provider_order_id !== null) return order.provider_order_id
  return shareRunning(inProgress, order.id, () => findOrCreate(deps, shopId, order, isNew))
}

async function findOrCreate(
  deps: CheckoutDeps,
  shopId: string,
  { id, order_no: number, total: amount, currency, payment_mode }: OrderRow,
  isNew: boolean
) {
  reachFailpoint('before-provider')
  // If a restored backup lacks the order, the notes name its shop and number.
  const notes = { shop: shopId, order: id, number }
  const draft = { amount, currency, receipt: id, notes, mode: payment_mode }
  const providerOrder = await createProviderOrder(deps, draft, isNew).catch(async error => {
    if (error instanceof ShopError && error.code === 'PAYMENT_ORDER_REFUSED')
      await deps.write(trx => releaseUnpaid(trx, id, 'refused', isoNow(deps.clock)), {
        shows: 'stock'
      })
    throw error
  })
  reachFailpoint('after-provider')
  const save = (trx: Trx): Promise<OrderRow | undefined> =>
    updateOrder(trx, id, { provider_order_id: providerOrder.id })
      .where('provider_order_id', 'is', null)
      .where('payment_state', '=', 'awaiting')
      .executeTakeFirst()
  const saved =
    (await deps.write(save, { shows: 'nothing' })) ?? (await findOrder(deps.database.kysely, id))
  reachFailpoint('provider-order-saved')
  if (saved?.payment_state !== 'awaiting' || saved.provider_order_id === null)
    throw new ShopError('CHECKOUT_CHANGED')
  return saved.provider_order_id
}

/** After a network failure, the provider may have two orders. The shop uses only one of them. */
export async function createProviderOrder(
  deps: CheckoutDeps,
  draft: ProviderOrderDraft,
  isNew: boolean
): Promise<ProviderOrder> {
  const { gateway } = deps.payments
  const findExisting = async (): Promise<ProviderOrder | undefined> => {
    const found = await gateway.findOrder(draft.receipt)
    return found?.amount === draft.amount && found.currency === draft.currency ? found : undefined
  }
  const create = () => gateway.createOrder(draft)
  try {
    const existing = isNew ? undefined : await findExisting()
    if (existing) return existing
    return await create().catch(async error => {
      if (!isRetryable(error)) throw error
      return (await findExisting()) ?? create()
    })
  } catch (cause) {
    if (!(cause instanceof PaymentError)) throw cause
    deps.log.warn({ err: cause, order: draft.receipt }, 'Creating the provider order failed')
    if (cause.problem === 'content') throw new ShopError('PAYMENT_ORDER_REFUSED', { cause })
    if (cause.problem === 'wrong_key') {
      const now = deps.clock()
      const mail = wrongKeyMail(await readContact(deps.database.kysely), toDayInIndia(now))
      await deps.write(trx => enqueueMail(trx, mail, toIso(now)), { shows: 'nothing' })
    }
    throw new ShopError('PAYMENTS_UNAVAILABLE', { cause })
  }
}

/** `id` is null if nothing has to be paid. */
export function toPaymentOrder(
  { keyId, isSandbox, checkoutUrl }: PaymentSettings,
  {
    id,
    orderId,
    total,
    holdUntil
  }: { total: Paise } & Pick<PaymentOrder, 'id' | 'orderId' | 'holdUntil'>
): PaymentOrder {
  return {
    id,
    amount: id === null ? 0 : total,
    currency: CURRENCY,
    key: keyId,
    orderId,
    total: toRupees(total),
    holdUntil,
    theme: THEME,
    sandbox: isSandbox,
    script: checkoutUrl
  }
}
