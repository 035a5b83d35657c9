import type { Settings } from '#lib/contract/settings.ts'
import { SECTION_NAMES, type SectionName } from '#lib/settings.ts'
import { insertSection, readStoredSection } from '#server/settings/settings.ts'
import type { Shop } from './shop.ts'

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
    await shop.write(trx => insertSection(trx, name, { ...saved, at, actor: { _id: null, name: 'Meena' } }))
  }
}

/** Returns the orders and kitchen units of each day, such as `{ '2026-11-24': [1, 2] }`, without empty days. */
export async function readPlaces(shop: Shop): Promise<Record<string, [orders: number, units: number]>> {
  const days = await shop.database.kysely.selectFrom('delivery_days').selectAll().orderBy('day').execute()
  return Object.fromEntries(days.filter(({ orders }) => orders > 0).map(row => [row.day, [row.orders, row.units]]))
}
