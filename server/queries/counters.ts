import type { Db, Trx } from '../db/tables.ts'

/** 0 for a counter that was never raised. */
export async function readCounter(db: Db, name: string): Promise<number> {
  const counter = await db.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst()
  return counter?.value ?? 0
}

/** Adds one and answers the new value. */
export async function raiseCounter(trx: Trx, name: string): Promise<number> {
  const { value } = await trx
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict(conflict => conflict.column('name').doUpdateSet(row => ({ value: row('counters.value', '+', 1) })))
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}
