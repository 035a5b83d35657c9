import { sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const delivery: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await createDeliveryDays(db)
  await addOrderColumns(db)
  await addProductColumns(db)
  await givePlaces(db)
}

async function createDeliveryDays(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  const count = ['orders', 'units'] as const
  let table = db.schema
    .createTable('delivery_days')
    .addColumn('day', text, column => column.primaryKey())
  for (const name of count) {
    table = table.addColumn(name, 'bigint', column =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`${sql.ref(name)} >= 0`)
    )
  }
  await table.execute()
}

async function addOrderColumns(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  for (const name of ['delivery_fee', 'kitchen_units', 'holds_place']) {
    await db.schema
      .alterTable('orders')
      .addColumn(name, 'bigint', column => column.notNull().defaultTo(0))
      .execute()
  }
  const texts = [
    'kitchen_day',
    'moved_from',
    'delivery_tax',
    'delivery_method',
    'delivery_zone',
    'event_at'
  ]
  for (const name of [...texts, 'dispatched_at', 'courier', 'tracking_number', 'tracking_link']) {
    await db.schema.alterTable('orders').addColumn(name, text).execute()
  }
  await db.schema
    .alterTable('orders')
    .addColumn('note', text, column => column.notNull().defaultTo(''))
    .execute()
  for (const name of ['delivery_date', 'kitchen_day']) {
    await db.schema
      .createIndex(`orders_${name}`)
      .on('orders')
      .column(name)
      .where(name as never, 'is not', sql.lit(null))
      .execute()
  }
}

async function addProductColumns(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .alterTable('products')
    .addColumn('kitchen_units', 'bigint', column => column.notNull().defaultTo(1))
    .execute()
  for (const name of ['extra_lead_days', 'local_only']) {
    await db.schema
      .alterTable('products')
      .addColumn(name, 'bigint', column => column.notNull().defaultTo(0))
      .execute()
  }
  await db.schema.alterTable('products').addColumn('shelf_life_days', 'bigint').execute()
  for (const name of ['allergens', 'nutrition']) {
    await db.schema
      .alterTable('products')
      .addColumn(name, text, column => column.notNull().defaultTo(''))
      .execute()
  }
}

/**
 * Orders with a chosen day that are not delivered yet take a place on it. Each of their packs is
 * one kitchen unit.
 */
async function givePlaces(db: Kysely<unknown>): Promise<void> {
  await sql`
    update orders set holds_place = 1, kitchen_day = delivery_date,
      kitchen_units = (select coalesce(sum(quantity), 0) from order_lines where order_id = orders.id)
    where delivery_date is not null
      and (payment_state = 'awaiting' or (payment_state = 'paid' and fulfilment_status in ('pending', 'packed')))`.execute(
    db
  )
  await sql`
    insert into delivery_days (day, orders, units)
    select kitchen_day, count(*), sum(kitchen_units) from orders where holds_place = 1 group by kitchen_day`.execute(
    db
  )
}
