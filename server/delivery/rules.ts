import { NEVER_CLOSED } from '#lib/delivery/calendar.ts'
import { type DeliveryOrder, type DeliveryRules, type ProductFacts } from '#lib/delivery/terms.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'
import type { Db, KitchenColumns, ProductRow } from '../platform/db/tables.ts'
import { readCurrentSections, type StoredSections } from '../settings/settings.ts'

export const FACT_COLUMNS = [
  'products.id',
  'products.name',
  'products.category',
  'kitchen_units',
  'extra_lead_days',
  'local_only',
  'shelf_life_days'
] as const

export type FactRow = Pick<ProductRow, 'id' | 'name' | 'category'> &
  Pick<KitchenColumns, 'shelf_life_days'> & {
    kitchen_units: number
    extra_lead_days: number
    local_only: number
  }

export interface StoredRules extends DeliveryRules {
  /** False until the owner has saved rules. Orders then get no delivery date of their own. */
  isSet: boolean
}

export const DELIVERY_SECTIONS = ['delivery', 'calendar', 'orders'] as const

export async function readDeliveryRules(db: Db): Promise<StoredRules> {
  return toDeliveryRules(await readCurrentSections(db, DELIVERY_SECTIONS))
}

export function toDeliveryRules({ delivery, calendar, orders }: StoredSections): StoredRules {
  return {
    isSet: delivery !== undefined || calendar !== undefined,
    delivery: delivery?.value ?? EMPTY_SETTINGS.delivery,
    calendar: calendar?.value ?? EMPTY_SETTINGS.calendar,
    closed: orders?.value.closed ?? NEVER_CLOSED
  }
}

export function toProductFacts(row: FactRow): ProductFacts {
  const { id, name, category } = row
  return {
    id,
    name,
    category,
    kitchenUnits: row.kitchen_units,
    extraLeadDays: row.extra_lead_days,
    localOnly: row.local_only === 1,
    shelfLifeDays: row.shelf_life_days
  }
}

/** Without `ids`, of all products. */
export async function readProductFacts(
  db: Db,
  ids?: readonly string[]
): Promise<Map<string, ProductFacts>> {
  if (ids?.length === 0) return new Map()
  const products = db.selectFrom('products').select(FACT_COLUMNS)
  const rows = await (ids ? products.where('id', 'in', ids) : products).execute()
  return new Map(rows.map(row => [row.id, toProductFacts(row)]))
}

export function withFacts(
  items: readonly { readonly product: string; readonly quantity: number }[],
  facts: ReadonlyMap<string, ProductFacts>
): DeliveryOrder['items'] {
  return items.flatMap(({ product, quantity }) => {
    const known = facts.get(product)
    return known ? [{ ...known, quantity }] : []
  })
}
