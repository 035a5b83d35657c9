import type { Settings } from '#lib/contract/settings.ts'
import { SECTION_NAMES, type SectionName } from '#lib/contract/names.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { readStoredSection } from '#server/settings/settings.ts'
import { insertSection } from '#server/settings/save-section.ts'
import {
  addShopper,
  type CheckoutShop,
  expectInvariants,
  openCheckoutShop,
  requestPayment,
  type Shopper
} from './checkout.ts'
import type { Engine } from './database.ts'
import type { Reply, Shop } from './shop.ts'

export { LEMONS } from './checkout.ts'

/** Cooked to order, so that only the days limit the orders. */
const products = {
  lemon: { category: 'pickles', price: 120, stock: 1, cooked_to_order: 1 }
} as const
/** When tests start, it is 21 November 2026, 9:30 in India. */
export const [FIRST, SECOND, THIRD] = ['2026-11-23', '2026-11-24', '2026-11-25'] as const
export const ONE_PER_DAY = { calendar: { ordersPerDay: 1 } }

/** A zone of the pincodes 620001 to 620026, served by the shop itself for ₹40. */
export const CITY: Settings['delivery']['zones'][number] = {
  name: 'City',
  pincodes: '620001-620026',
  method: 'own',
  fee: 40,
  freeAbove: 0,
  transitMin: 0,
  transitMax: 0,
  active: true
}

type Changes = { [Name in SectionName]?: Partial<Settings[Name]> }

/** Saves settings without the checks of the settings page. */
export async function setSettings(shop: Shop, changes: Changes): Promise<void> {
  for (const name of SECTION_NAMES.filter(section => section in changes)) {
    const { value, version } = await readStoredSection(shop.database.kysely, name)
    const saved = { value: { ...value, ...changes[name] } as typeof value, version: version + 1 }
    const at = new Date(shop.clock()).toISOString()
    await shop.write(async trx => {
      await insertSection(trx, name, { ...saved, at, actor: { _id: null, name: 'Meena' } })
      // Renews public replies.
      await raiseCounter(trx, 'catalog')
    })
  }
}

/**
 * Returns the orders and kitchen units of each day, such as `{ '2026-11-24': [1, 2] }`, without
 * empty days.
 */
export async function readPlaces(
  shop: Shop
): Promise<Record<string, [orders: number, units: number]>> {
  const days = await shop.database.kysely
    .selectFrom('delivery_days')
    .selectAll()
    .orderBy('day')
    .execute()
  return Object.fromEntries(
    days.filter(({ orders }) => orders > 0).map(row => [row.day, [row.orders, row.units]])
  )
}

export async function openPlacesShop(
  rules: Changes = ONE_PER_DAY,
  engine: Engine = 'sqlite'
): Promise<CheckoutShop & Record<'anita' | 'bala', Shopper>> {
  const shop = await openCheckoutShop(engine, { products })
  expectInvariants(shop)
  await setSettings(shop, rules)
  return { ...shop, anita: await addShopper(shop, 'anita'), bala: await addShopper(shop, 'bala') }
}

export function requestLemons(
  shop: Shop,
  shopper: Shopper,
  extra: object = {},
  quantity = 2
): Promise<Reply> {
  return requestPayment(shop, shopper, {
    items: [{ product: 'lemon', quantity }],
    amount: quantity * 120,
    extra
  })
}

export async function payLate(
  shop: CheckoutShop,
  payment_id: string,
  outcome = 'captured'
): Promise<void> {
  await shop.sandbox.control('POST', '/late', { payment_id, outcome })
  await shop.deliverWebhooks()
}

export async function mailOf(shop: Shop, orderNumber = ''): Promise<string> {
  await shop.deliverMails()
  return (
    shop.mails.find(({ subject }) => subject.startsWith(`Your order ${orderNumber}`))?.text ?? ''
  )
}
