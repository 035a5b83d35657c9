import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely'
import { columns } from './columns.ts'

export const orderChanges: Migration = { up: addOrderChanges }
export const packing: Migration = { up: addPacking }

/**
 * An issued invoice never changes, so the lines of an order stay, and each change credits some of
 * their packs.
 */
async function addOrderChanges(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  const added = { orders: ['changes', 'credited'], order_lines: ['removed'], refunds: ['part'] }
  for (const [table, names] of Object.entries(added)) {
    for (const name of names) {
      await db.schema
        .alterTable(table)
        .addColumn(name, 'bigint', column => column.notNull().defaultTo(0))
        .execute()
    }
  }
  await db.schema
    .createTable('order_changes')
    .addColumn('order_id', text, column => column.notNull().references('orders.id'))
    .addColumn('seq', 'bigint', column => column.notNull())
    .addColumn('changed_at', text, column => column.notNull())
    .addColumn('credit_year', text)
    .addColumn('credit_no', 'bigint')
    .addColumn('credited', 'bigint', column => column.notNull().check(sql`credited >= 0`))
    .addColumn('refunded', 'bigint', column => column.notNull().check(sql`refunded >= 0`))
    .addColumn('details', text, column => column.notNull())
    .addPrimaryKeyConstraint('order_changes_pkey', ['order_id', 'seq'])
    .addUniqueConstraint('order_changes_credit_note', ['credit_year', 'credit_no'])
    .addCheckConstraint('order_changes_refunded', sql`refunded <= credited`)
    .execute()
  await db.schema
    .createIndex('order_changes_time')
    .on('order_changes')
    .column('changed_at')
    .execute()
  const lines = db.schema
    .createTable('order_change_lines')
    .addColumn('order_id', text, column => column.notNull())
    .addColumn('seq', 'bigint', column => column.notNull())
    .addColumn('n', 'bigint', column => column.notNull())
    .addColumn('quantity', 'bigint', column => column.notNull().check(sql`quantity > 0`))
    .addColumn('coupon_discount', 'bigint', column => column.notNull())
    .addColumn('total', 'bigint', column => column.notNull().check(sql`total >= 0`))
    .addPrimaryKeyConstraint('order_change_lines_pkey', ['order_id', 'seq', 'n'])
    .addForeignKeyConstraint('order_change_lines_change', ['order_id', 'seq'], 'order_changes', [
      'order_id',
      'seq'
    ])
  await ['taxable', 'cgst', 'sgst', 'igst']
    .reduce((table, name) => table.addColumn(name, 'bigint'), lines)
    .execute()
}

async function addPacking(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('packed_lines')
    .addColumn('order_id', text, column =>
      column.notNull().references('orders.id').onDelete('cascade')
    )
    .addColumn('n', 'bigint', column => column.notNull())
    .addColumn('quantity', 'bigint', column => column.notNull())
    .addColumn('packed_at', text, column => column.notNull())
    .addPrimaryKeyConstraint('packed_lines_key', ['order_id', 'n'])
    .execute()
  await db.schema
    .createIndex('packed_lines_packed_at')
    .on('packed_lines')
    .column('packed_at')
    .execute()
}

export const missedSearches: Migration = { up: createMissedSearches }

/** Texts that shoppers searched for and did not find, by day in India, without any person. */
async function createMissedSearches(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('missed_searches')
    .addColumn('day', text, column => column.notNull())
    .addColumn('text', text, column => column.notNull())
    .addColumn('count', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('missed_searches_key', ['day', 'text'])
    .execute()
}

export const nodes: Migration = { up: createLiveRelease }

/**
 * The only row names the release that all nodes show. It is written only if the shop has an object
 * store.
 */
async function createLiveRelease(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('live_release')
    .addColumn('singleton', 'bigint', column => column.primaryKey().check(sql`singleton = 1`))
    .addColumn('release', text, column => column.notNull())
    .addColumn('since', text, column => column.notNull())
    .execute()
}

export const largeTables: Migration = { up: prepareLargeTables }

async function prepareLargeTables(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db)
  await createOrderTexts(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('orders_created').execute()
  // Contains what most filters of the order list read, so that earlier pages are skipped without
  // reading the orders.
  await sql`create index orders_list on orders (created_at desc, id, paid_at, delivery_date)`.execute(
    db
  )
  await sql`create index orders_status on orders (fulfilment_status, created_at desc, id, payment_state)`.execute(
    db
  )
  await sql`create index orders_paid on orders (paid_at) where paid_at is not null`.execute(db)
  await sql`create index orders_credited on orders (ended_at) where credit_no is not null`.execute(
    db
  )
  await sql`create index audit_kind on audit (kind, at)`.execute(db)
  await sql`create index outbox_texts on outbox (created_at) where payload <> '{}'`.execute(db)
}

/**
 * The searchable text of each order. Triggers keep it, so that it is also correct while an older
 * version runs.
 */
async function createOrderTexts(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  const isPostgres = isOnPostgres(db)
  await db.schema
    .createTable('order_texts')
    .addColumn('order_id', text, column =>
      column.primaryKey().references('orders.id').onDelete('cascade')
    )
    .addColumn('text', text, column => column.notNull())
    .execute()
  if (isPostgres) await createJsonValues(db)
  // The same name is added only once.
  const addName = `
    update order_texts set text = text || ' ' || lower(new.name)
    where order_id = new.order_id and text = replace(text, lower(new.name), '')`
  const saveText = saveTexts(isPostgres, 'id = new.id')
  const createTrigger = isPostgres ? createPostgresTrigger : createSqliteTrigger
  await createTrigger(db, 'orders_text', 'insert on orders', saveText)
  await createTrigger(db, 'orders_new_text', 'update of customer, address on orders', saveText)
  await createTrigger(db, 'order_lines_text', 'insert on order_lines', addName)
  await sql.raw(saveTexts(isPostgres, 'true')).execute(db)
}

export function saveTexts(isPostgres: boolean, condition: string): string {
  return `
    insert into order_texts (order_id, text) select id, lower(${orderText(isPostgres)}) from orders where ${condition}
    on conflict (order_id) do update set text = excluded.text`
}

function orderText(isPostgres: boolean): string {
  const join = isPostgres ? 'string_agg' : 'group_concat'
  const values = (column: string): string =>
    isPostgres
      ? `json_values(orders.${column})`
      : `(select group_concat(value, ' ') from json_each(orders.${column}))`
  const names = `(select ${join}(name, ' ') from (select distinct name from order_lines where order_id = orders.id) as lines)`
  const parts = [values('customer'), values('address'), names]
  return `order_no || ${parts.map(part => `coalesce(' ' || ${part}, '')`).join(' || ')}`
}

/**
 * PostgreSQL can't read JSON with half an emoji or a null character. The text is then searched as
 * it is.
 */
export async function createJsonValues(db: Kysely<unknown>): Promise<void> {
  const body = `begin return (select string_agg(value, ' ') from json_each_text(document::json));
    exception when data_exception then return document; end`
  const head = 'function json_values(document text) returns text language plpgsql'
  await sql.raw(`create or replace ${head} as $$ ${body} $$`).execute(db)
}

export function isOnPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

async function createSqliteTrigger(
  db: Kysely<unknown>,
  name: string,
  event: string,
  action: string
): Promise<void> {
  await sql.raw(`create trigger ${name} after ${event} begin ${action}; end`).execute(db)
}

async function createPostgresTrigger(
  db: Kysely<unknown>,
  name: string,
  event: string,
  action: string
): Promise<void> {
  await createPostgresFunction(db, name, action)
  await sql
    .raw(`create trigger ${name} after ${event} for each row execute function ${name}()`)
    .execute(db)
}

export async function createPostgresFunction(
  db: Kysely<unknown>,
  name: string,
  action: string
): Promise<void> {
  const body = `begin ${action}; return null; end`
  await sql
    .raw(`create or replace function ${name}() returns trigger language plpgsql as $$ ${body} $$`)
    .execute(db)
}
