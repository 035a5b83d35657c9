import { PostgresAdapter, sql, type Kysely, type Migration } from 'kysely'
import { columns } from './columns.ts'

export const largeTables: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db)
  await createOrderTexts(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('orders_created').execute()
  // Contains what most filters of the order list read, so that earlier pages are skipped without reading the orders.
  await sql`create index orders_list on orders (created_at desc, id, paid_at, delivery_date)`.execute(db)
  await sql`create index orders_status on orders (fulfilment_status, created_at desc, id, payment_state)`.execute(db)
  await sql`create index orders_paid on orders (paid_at) where paid_at is not null`.execute(db)
  await sql`create index orders_credited on orders (ended_at) where credit_no is not null`.execute(db)
  await sql`create index audit_kind on audit (kind, at)`.execute(db)
  await sql`create index outbox_texts on outbox (created_at) where payload <> '{}'`.execute(db)
}

/** The searchable text of each order. Triggers keep it, so that it is also correct while an older version runs. */
async function createOrderTexts(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  await db.schema
    .createTable('order_texts')
    .addColumn('order_id', text, column => column.primaryKey().references('orders.id').onDelete('cascade'))
    .addColumn('text', text, column => column.notNull())
    .execute()
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const saveTexts = (condition: string): string => `
    insert into order_texts (order_id, text) select id, lower(${orderText(isPostgres)}) from orders where ${condition}
    on conflict (order_id) do update set text = excluded.text`
  // The same name is added only once.
  const addName = `
    update order_texts set text = text || ' ' || lower(new.name)
    where order_id = new.order_id and text = replace(text, lower(new.name), '')`
  const createTrigger = isPostgres ? createPostgresTrigger : createSqliteTrigger
  await createTrigger(db, 'orders_text', 'insert on orders', saveTexts('id = new.id'))
  await createTrigger(db, 'orders_new_text', 'update of customer, address on orders', saveTexts('id = new.id'))
  await createTrigger(db, 'order_lines_text', 'insert on order_lines', addName)
  await sql.raw(saveTexts('true')).execute(db)
}

function orderText(isPostgres: boolean): string {
  const [join, each, json] = isPostgres ? ['string_agg', 'json_each_text', '::json'] : ['group_concat', 'json_each', '']
  const values = (column: string): string => `(select ${join}(value, ' ') from ${each}(orders.${column}${json}))`
  const names = `(select ${join}(name, ' ') from (select distinct name from order_lines where order_id = orders.id) as lines)`
  const parts = [values('customer'), values('address'), names]
  return `order_no || ${parts.map(part => `coalesce(' ' || ${part}, '')`).join(' || ')}`
}

async function createSqliteTrigger(db: Kysely<unknown>, name: string, event: string, action: string): Promise<void> {
  await sql.raw(`create trigger ${name} after ${event} begin ${action}; end`).execute(db)
}

async function createPostgresTrigger(db: Kysely<unknown>, name: string, event: string, action: string): Promise<void> {
  const body = `begin ${action}; return null; end`
  await sql.raw(`create or replace function ${name}() returns trigger language plpgsql as $$ ${body} $$`).execute(db)
  await sql.raw(`create trigger ${name} after ${event} for each row execute function ${name}()`).execute(db)
}
