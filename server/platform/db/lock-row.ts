import { sql, type Selectable } from 'kysely'
import type { Tables, Trx } from './tables.ts'

/** No key column, because writing it would make SQLite check all rows that refer to it. */
const COLUMNS = {
  coupons: 'version',
  orders: 'changes',
  payments: 'rank',
  products: 'version',
  users: 'phone'
} as const

/** Writes the row to itself, which locks it on both databases. A write may begin with it. */
export async function lockRow<Name extends keyof typeof COLUMNS>(
  trx: Trx,
  table: Name,
  id: string
): Promise<Selectable<Tables[Name]> | undefined> {
  const column = sql.ref(COLUMNS[table])
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${sql.table(table)} set ${column} = ${column} where id = ${id} returning *`.execute(trx)
  return rows[0]
}
