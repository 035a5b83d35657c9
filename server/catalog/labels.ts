import type { LabelFacts } from '#lib/contract/kitchen.ts'
import { toRupees } from '#lib/money.ts'
import type { Db } from '../platform/db/tables.ts'
import { readSellerSettings } from '../settings/settings.ts'

/** Hidden products have labels too, because they can still be in orders. */
export async function readLabelFacts(db: Db): Promise<LabelFacts> {
  const { shop, legal } = await readSellerSettings(db)
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name', 'name_tamil', 'dietary', 'ingredients', 'allergens', 'nutrition'])
    .select(['pack_value', 'pack_unit', 'pack_type', 'price', 'shelf_life_days'])
    .orderBy('name')
    .orderBy('family_position')
    .orderBy('id')
    .execute()
  const { name, legalName, address, phone, email } = shop
  return {
    maker: { name, legalName, address, phone, email, fssai: legal.fssai },
    products: rows.map(row => ({
      id: row.id,
      name: row.name,
      nameTamil: row.name_tamil,
      dietary: row.dietary,
      ingredients: JSON.parse(row.ingredients) as string[],
      allergens: row.allergens,
      nutrition: row.nutrition,
      quantity: { value: row.pack_value, unit: row.pack_unit, type: row.pack_type },
      mrp: toRupees(row.price),
      shelfLifeDays: row.shelf_life_days
    }))
  }
}
