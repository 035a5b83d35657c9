import type { FastifyInstance } from 'fastify'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { findMissingText } from '#lib/checkout/order-rules.ts'
import { isClosedOn, reopeningText } from '#lib/closed-days.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { ShopError } from '#lib/errors.ts'
import type { Paise } from '#lib/money.ts'
import { toDayInIndia } from '#lib/time.ts'
import { DELIVERY_SECTIONS, toDeliveryRules, type StoredRules } from '../../delivery/rules.ts'
import { isLiveAt, readIdentity } from '../../live-shop/live-shop.ts'
import { usesTestMode } from '../../razorpay/config.ts'
import { findMissingLegal } from '../../settings/demo-details.ts'
import { readCurrentSections, toValues } from '../../settings/settings.ts'
import { SELLER_SECTIONS, toDeliveryStates, type DeliveryStates } from '../../settings/tax.ts'

/** What the owner's settings say about orders, read once for each request. */
export interface ShopRules {
  shopId: string
  isLive: boolean
  isLegal: boolean
  paymentMode: 'test' | 'live'
  orders: Settings['orders']
  delivery: StoredRules
  states: DeliveryStates
}

const SECTIONS = [...SELLER_SECTIONS, ...DELIVERY_SECTIONS] as const

export async function readShopRules({
  database,
  config,
  payments
}: Pick<FastifyInstance, 'database' | 'config' | 'payments'>): Promise<ShopRules> {
  const db = database.kysely
  const isTest = usesTestMode(payments.settings)
  const identity = await readIdentity(db)
  const stored = await readCurrentSections(db, SECTIONS)
  const { orders, ...values } = toValues(stored, SECTIONS)
  return {
    shopId: identity.id,
    isLive: isLiveAt(identity, config.siteUrl),
    isLegal: isTest || (await findMissingLegal(db)).length === 0,
    paymentMode: isTest ? 'test' : 'live',
    orders,
    delivery: toDeliveryRules(stored),
    states: toDeliveryStates(values)
  }
}

/**
 * A shop that takes real money must name its FSSAI licence (Food Safety and Standards Act 2006) and
 * a grievance officer (Consumer Protection (E-Commerce) Rules 2020). Throws SHOP_NOT_LIVE,
 * LEGAL_DETAILS_MISSING.
 */
export function requireSelling({ isLive, isLegal }: ShopRules, { role }: User): void {
  if (!isLive) throw new ShopError('SHOP_NOT_LIVE')
  if (isLegal) return
  const details = role === 'admin' ? { message: ADMIN_MESSAGES.legalMissing } : {}
  throw new ShopError('LEGAL_DETAILS_MISSING', details)
}

/** Throws SHOP_CLOSED with the day on which the shop takes orders again. */
export function requireOpen({ orders: { closed } }: ShopRules, now: number): void {
  if (!isClosedOn(closed, toDayInIndia(now))) return
  throw new ShopError('SHOP_CLOSED', {
    message: `${CHECKOUT_MESSAGES.shopClosed}. ${reopeningText(closed)}`
  })
}

/** Throws BELOW_MINIMUM_ORDER. */
export function requireMinimum({ orders }: ShopRules, subtotal: Paise): void {
  const missing = findMissingText(subtotal, orders.minimumOrder)
  if (missing !== undefined) throw new ShopError('BELOW_MINIMUM_ORDER', { message: `${missing}.` })
}
