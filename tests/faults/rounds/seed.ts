import { randomBytes, randomUUID } from 'node:crypto'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import { HOUR } from '#lib/time.ts'
import type { Trx } from '#server/platform/db/tables.ts'
import { insertSection } from '#server/settings/save-section.ts'
import { insertAccount } from '../../support/accounts.ts'
import { addToCatalog, type CatalogDraft } from '../../support/catalog.ts'

export interface Account {
  id: string
  name: string
  token: string
  percent: number
  ip: string
}

const BUYERS = 200
const UNLIMITED = 1_000_000

/**
 * Prices are in rupees. `last-batch` sells out quickly and is in stock again when reservations
 * expire.
 */
export const PRODUCTS = {
  'mango-pickle': { price: 149.5, stock: UNLIMITED, category: 'pickles' },
  'sambar-powder': { price: 89, stock: 0, cooked_to_order: 1, category: 'powders' },
  'mysore-pak': { price: 180, stock: UNLIMITED, category: 'sweets' },
  'last-batch': { price: 333.33, stock: 18, category: 'powders' }
} as const satisfies CatalogDraft['products']
export type Product = keyof typeof PRODUCTS

export const DEAL = { id: 'on-mango-pickle', product: 'mango-pickle', percent: 20 } as const

/** All orders have the fee. Buyers often choose one of the first days, which fill up. */
const FEE = 30
export const DELIVERY_FEE = FEE * 100
export const CHOSEN_DAYS = 4
const ORDERS_PER_DAY = 15
const CITY = {
  name: 'City',
  pincodes: '62',
  method: 'own',
  freeAbove: 0,
  transitMin: 0,
  transitMax: 0
} as const

export const INITIAL_STOCK = Object.fromEntries(
  Object.entries(PRODUCTS).map(([id, { stock }]) => [id, stock])
)

/** `now` in ms since the epoch. */
export async function seedShop(
  trx: Trx,
  now: number
): Promise<{ accounts: Account[]; admin: Account }> {
  const at = new Date(now).toISOString()
  const saved = { version: 1, at, actor: { _id: null, name: 'Meena' } }
  const delivery = { ...EMPTY_SETTINGS.delivery, zones: [{ ...CITY, fee: FEE, active: true }] }
  const calendar = { ...EMPTY_SETTINGS.calendar, ordersPerDay: ORDERS_PER_DAY }
  await insertSection(trx, 'delivery', { ...saved, value: delivery })
  await insertSection(trx, 'calendar', { ...saved, value: calendar })
  const deals = {
    [DEAL.id]: { product: DEAL.product, percent: DEAL.percent, from: -HOUR, to: 1000 * HOUR }
  }
  await addToCatalog(trx, { products: PRODUCTS, deals, pictures: { hero: {} } }, now)
  const admin = { ...newAccount(BUYERS), name: 'meena' }
  await insertAccount(trx, admin, 'owner', now)
  // A recent verification would soon be too old, because the clock of the rounds runs faster.
  await trx
    .updateTable('sessions')
    .set({ identity_verified_at: '9999-01-01T00:00:00.000Z' })
    .execute()
  const accounts = Array.from({ length: BUYERS }, (_, index) => newAccount(index))
  for (const account of accounts) await insertAccount(trx, account, null, now)
  const draw = { deal_id: DEAL.id, drawn_at: at, order_id: null }
  const draws = accounts.map(({ id, percent }) => ({ ...draw, user_id: id, percent }))
  await trx.insertInto('draws').values(draws).execute()
  return { accounts, admin }
}

function newAccount(index: number) {
  const percent = 1 + (index % DEAL.percent)
  const token = randomBytes(32).toString('base64url')
  return { id: randomUUID(), name: `buyer-${index}`, token, percent, ip: `10.0.0.${index}` }
}
