import type { Db, Trx } from './tables.ts'

export const LAST_BACKUP = 'last backup'

export const STOCK_LEVELS = 'stock levels'

export const LAST_SMTP_MAIL = 'last SMTP mail'

export const LAST_SWEEPS = {
  short: 'last sweep of two days',
  long: 'last sweep of six days'
} as const

export async function readCounter(db: Db, name: string): Promise<number> {
  const counter = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return counter?.value ?? 0
}

/** Locks the counter until the commit, so that concurrent changes wait. */
export async function raiseCounter(trx: Trx, name: string): Promise<number> {
  const { value } = await trx
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet(row => ({ value: row('counters.value', '+', 1) }))
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

export async function readCounters<Name extends string>(
  db: Db,
  names: readonly Name[]
): Promise<Partial<Record<Name, number>>> {
  const counters = await db.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  return Object.fromEntries(counters.map(({ name, value }) => [name, value])) as Partial<
    Record<Name, number>
  >
}

export async function raiseCounterTo(trx: Trx, name: string, value: number): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name, value })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({ value }).where('counters.value', '<', value)
    )
    .execute()
}

export async function setCounter(trx: Trx, name: string, value: number): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
