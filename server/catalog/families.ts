import { SHARED_FIELDS } from '#lib/constants.ts'
import type { AdminProduct, Family, ProductFields } from '#lib/contract/catalog.ts'
import { findFreeSlug } from '#lib/paths.ts'
import { countRows } from '../platform/db/search.ts'
import type { Trx } from '../platform/db/tables.ts'

type SharedFields = Pick<ProductFields, (typeof SHARED_FIELDS)[number]>

export function pickShared<Fields extends Partial<SharedFields>>(fields: Fields): Partial<SharedFields> {
  const given = SHARED_FIELDS.filter(name => fields[name] !== undefined)
  return Object.fromEntries(given.map(name => [name, fields[name]]))
}

export function omitShared<Fields extends object>(fields: Fields): Omit<Fields, keyof SharedFields> {
  const own = Object.entries(fields).filter(([name]) => !SHARED_FIELDS.some(shared => shared === name))
  return Object.fromEntries(own) as Omit<Fields, keyof SharedFields>
}

/** Returns the ids of the family's products in their order. */
export async function listSizeIds(trx: Trx, family: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('products')
    .select('id')
    .where('family_id', '=', family)
    .orderBy('family_position')
    .orderBy('price')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function findLastPosition(trx: Trx, family: string): Promise<number> {
  const { last } = await trx
    .selectFrom('products')
    .select(({ fn }) => fn.max('family_position').as('last'))
    .where('family_id', '=', family)
    .executeTakeFirstOrThrow()
  return Number(last ?? -1)
}

/** Two pack sizes that shoppers see must differ. */
export async function hasEqualSize(trx: Trx, { id, family, quantity }: AdminProduct): Promise<boolean> {
  const equal = trx
    .selectFrom('products')
    .where('family_id', '=', family?.id ?? '')
    .where('id', '!=', id)
    .where('pack_value', '=', quantity.value)
    .where('pack_unit', '=', quantity.unit)
    .where('hidden_at', 'is', null)
  return (await countRows(equal)) > 0
}

/** Returns a new family. It is named after its first product, unless a family has this name already. */
export async function createFamily(trx: Trx, product: string): Promise<Family> {
  const rows = await trx
    .selectFrom('products')
    .select('family_id')
    .distinct()
    .where('family_id', 'like', `${product}%`)
    .execute()
  const taken = new Set(rows.flatMap(({ family_id }) => family_id ?? []))
  return { id: findFreeSlug(product, taken), position: 0 }
}
