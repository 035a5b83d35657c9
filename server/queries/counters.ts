import { prepared } from '../db/prepared.ts'
import type { Db, Trx } from '../db/tables.ts'

/** When the newest backup was made, in ms. */
export const LAST_BACKUP = 'last backup'

/** 0 for a counter that was never raised. */
export async function readCounter(db: Db, name: string): Promise<number> {
  const counter = await db.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst()
  return counter?.value ?? 0
}

/** Adds one and answers the new value. */
export async function raiseCounter(trx: Trx, name: string): Promise<number> {
  const [counter] = (await raising(trx, { name })).rows
  if (!counter) throw new Error(`The counter ${name} was not raised`)
  return counter.value
}

const raising = prepared<{ name: string }, { value: number }>((db, value) =>
  db
    .insertInto('counters')
    .values({ name: value('name'), value: 1 })
    .onConflict(conflict => conflict.column('name').doUpdateSet(row => ({ value: row('counters.value', '+', 1) })))
    .returning('value')
)

/** Several at once; those that were never raised are left out. */
export async function readCounters<Name extends string>(
  db: Db,
  names: readonly Name[]
): Promise<Partial<Record<Name, number>>> {
  const counters = await db.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(counters.map(({ name, value }) => [name, value])) as Partial<Record<Name, number>>
}

/** Makes a counter at least so high: it never goes back. */
export async function raiseTo(trx: Trx, name: string, value: number): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }).where('counters.value', '<', value))
    .execute()
}
