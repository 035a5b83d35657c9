import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { findMissingText } from '#lib/checkout/order-rules.ts'
import { isClosedOn, reopeningText } from '#lib/closed-days.ts'
import type { User } from '#lib/contract/accounts.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { ShopError } from '#lib/errors.ts'
import type { Paise } from '#lib/money.ts'
import { toDayInIndia } from '#lib/time.ts'
import type { Db } from '../platform/db/tables.ts'
import type { Payments } from '../razorpay/client.ts'
import { usesTestMode } from '../razorpay/config.ts'
import { listInventedDetails } from './demo-details.ts'
import { readSection } from './settings.ts'

const LEGAL_DETAILS = ['fssai', 'grievanceOfficer'] as const

/** Returns the details that are empty or still the demo's. */
export async function findMissingLegal(db: Db): Promise<(typeof LEGAL_DETAILS)[number][]> {
  const { fssai, grievanceOfficer } = await readSection(db, 'legal')
  const given = { fssai, grievanceOfficer: grievanceOfficer.name }
  const invented = await listInventedDetails(db)
  return LEGAL_DETAILS.filter(name => given[name] === '' || invented.includes(name))
}

/**
 * A shop that takes real money must name its FSSAI licence (Food Safety and Standards Act 2006) and
 * a grievance officer (Consumer Protection (E-Commerce) Rules 2020). Throws LEGAL_DETAILS_MISSING.
 */
export async function requireLegalDetails(
  db: Db,
  { settings }: Pick<Payments, 'settings'>,
  user: User
): Promise<void> {
  if (usesTestMode(settings) || (await findMissingLegal(db)).length === 0) return
  throw new ShopError(
    'LEGAL_DETAILS_MISSING',
    user.role === 'admin' ? { message: ADMIN_MESSAGES.legalMissing } : {}
  )
}

export type OrderSettings = Pick<Settings['orders'], 'closed' | 'minimumOrder'>

/** Throws SHOP_CLOSED with the day on which the shop takes orders again. */
export function requireOpen({ closed }: OrderSettings, now: number): void {
  if (!isClosedOn(closed, toDayInIndia(now))) return
  throw new ShopError('SHOP_CLOSED', {
    message: `${CHECKOUT_MESSAGES.shopClosed}. ${reopeningText(closed)}`
  })
}

/** Throws BELOW_MINIMUM_ORDER. */
export function requireMinimum({ minimumOrder }: OrderSettings, subtotal: Paise): void {
  const missing = findMissingText(subtotal, minimumOrder)
  if (missing !== undefined) throw new ShopError('BELOW_MINIMUM_ORDER', { message: `${missing}.` })
}
