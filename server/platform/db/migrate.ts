import { readFile } from 'node:fs/promises'
import { DEFAULT_MIGRATION_TABLE, Migrator, sql, type Kysely, type Migration } from 'kysely'
import { MINUTE } from '#lib/time.ts'
import { oneLine } from '../process/command.ts'
import { cleanTexts } from './clean-texts.ts'
import type { Database } from './connect.ts'
import { DatabaseError } from './failures.ts'
import { isPostgres } from './postgres.ts'
import type { Db } from './tables.ts'
import { withRetries } from './write.ts'

/** The whole schema at commit 1678b053, under the name of the last migration of that commit. */
export const BASELINE = '026-large-tables'

/** Migrations in the order they run. Names and content of released migrations must never change. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  [BASELINE]: {
    async up(db) {
      await runScript(db, await readFile(new URL('schema.sql', import.meta.url), 'utf8'))
      await createTextTriggers(db)
    }
  },
  /** The percentage of a deal is `percent` + `hundredths` / 100, negative below 1 percent. */
  '027-texts-and-percents': {
    async up(db) {
      await runScript(db, 'alter table deals add column hundredths bigint default 0 not null')
      // Mends the functions that 026 created at commit 1678b053.
      if (isPostgres(db)) await createTextFunctions(db)
    }
  },
  /** How long an account has kept stock stays known when the checkout is deleted. */
  '028-unpaid-checkouts': script(`
    alter table orders add column network text;
    alter table deleted_checkouts add column reserved_from text;
    alter table deleted_checkouts add column reserved_until text;
    create index deleted_checkouts_user on deleted_checkouts (user_id, reserved_until);
    create index orders_delivered on orders (user_id) where fulfilment_status = 'delivered';
    drop index orders_unpaid_ended;
    create index orders_unpaid on orders (payment_state, ended_at) where paid_at is null`),
  '029-device-tokens': script(
    'alter table users add column devices_version bigint default 0 not null'
  ),
  /** The table `reversals` needs an order. Refunds that the shop had given up become failed. */
  '030-refunds': script(`
    create table payment_reversals (
      id text primary key,
      payment_id text not null references payments (id),
      kind text not null check (kind in ('refund', 'dispute')),
      amount bigint not null check (amount >= 0),
      state text not null check (state in ('pending', 'returned', 'void')),
      created_at text not null
    );
    create index payment_reversals_payment on payment_reversals (payment_id);
    create index refunds_failed on refunds (payment_id) where state = 'failed';
    update refunds set state = 'failed', provider_refund_id = null
      where state in ('due', 'sent') and next_at is null`),
  '031-removed-lines': { up: moveRemovedLines },
  /** 1: sold without limit. `stock` keeps its number, so that older code does not sell more. */
  '032-cooked-to-order': script(
    'alter table products add column cooked_to_order bigint default 0 not null'
  ),
  /** Of refunds that take no packs off the order. */
  '033-credit-lines': script(`
    create table credit_lines (
      order_id text not null,
      seq bigint not null,
      n bigint not null,
      quantity bigint not null check (quantity >= 0),
      tax_rate bigint,
      total bigint not null,
      taxable bigint,
      cgst bigint,
      sgst bigint,
      igst bigint,
      primary key (order_id, seq, n),
      foreign key (order_id, seq) references order_changes (order_id, seq)
    )`),
  '034-provider-orders': script(
    'create table provider_orders (id text primary key, key_id text not null)'
  ),
  '035-invitations': script(`
    create table invitations (
      id text primary key, email text not null unique, staff text not null,
      token_hash text not null unique, expires_at text not null, created_at text not null
    )`),
  '036-clean-texts': { up: cleanTexts },
  /** Of the pages on which an order was placed, and of mails to a person. */
  '037-languages': script(`
    alter table users add column language text default 'en' not null;
    alter table orders add column language text default 'en' not null;
    alter table stock_alerts add column language text default 'en' not null;
    alter table contact_messages add column language text default 'en' not null;
    alter table order_lines add column local_name text default '' not null;
    alter table removed_lines add column local_name text default '' not null`),
  /** JSON by language, as `translationsOf` of the contract. */
  '038-translations': script(`
    alter table products add column translations text default '{}' not null;
    alter table collections add column translations text default '{}' not null;
    alter table posts add column translations text default '{}' not null`),
  '039-picture-translations': script(`
    alter table pictures add column alt_translations text default '{}' not null`),
  /** Mails that are not to be sent lose their text, because it may hold such a link. */
  '040-order-links': script(`
    create table order_links (
      order_id text primary key references orders (id), seed text not null,
      token_hash text not null unique, created_at text not null
    );
    create index order_links_created on order_links (created_at);
    update outbox set payload = '{}' where state <> 'waiting'`),
  '041-bell': script(`
    create table bell_devices (
      id text primary key, session text not null, endpoint text not null unique,
      p256dh text not null, auth text not null, kinds text not null, label text not null,
      language text not null
    );
    create table bell_rings (
      id text primary key, device_id text not null, payload text not null, topic text,
      next_at text not null, created_at text not null
    );
    create index bell_rings_next on bell_rings (next_at)`),
  '042-gifts': script("alter table orders add column gift text default '' not null")
}

/** Those of a newer version. This version can run with them: they only add. */
export function listNewer(names: readonly string[]): string[] {
  return names.filter(name => name > BASELINE && !(name in MIGRATIONS))
}

/** For another process that migrates the SQLite file. On PostgreSQL, Kysely waits. */
const LOCK_TIMEOUT = MINUTE

export async function migrate({ kysely, dialect, location }: Database): Promise<string[]> {
  const run = dialect === 'postgres' ? withoutStatementTimeout : migrateToLatest
  try {
    return await withRetries(() => kysely.connection().execute(run), LOCK_TIMEOUT)
  } catch (cause) {
    throw new DatabaseError(`The database ${location} can't be prepared: ${oneLine(cause)}`, {
      cause
    })
  }
}

async function migrateToLatest(db: Db) {
  const executed = await listExecuted(db)
  if (executed.length > 0 && !executed.includes(BASELINE))
    throw new Error('it is too old; start the version of commit 1678b053 once, then this one')
  // Kysely refuses a database with executed migrations that it does not know.
  const placeholders = Object.fromEntries(
    executed.map(name => [name, { up: async () => undefined }])
  )
  const getMigrations = async (): Promise<Record<string, Migration>> => ({
    ...placeholders,
    ...MIGRATIONS
  })
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()
  if (error) throw error as Error
  return listNewer(executed)
}

export async function listExecuted(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const names = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
  const { rows } = await names.execute(db)
  return rows.map(({ name }) => name)
}

/** A change of a large table, or the wait for another process that makes it, may take minutes. */
async function withoutStatementTimeout(db: Db) {
  await sql`set statement_timeout = 0`.execute(db)
  try {
    return await migrateToLatest(db)
  } finally {
    // Fails only if the connection is lost, and then the first error tells more.
    await sql`reset statement_timeout`.execute(db).catch(() => undefined)
  }
}

async function runScript(db: Kysely<unknown>, script: string) {
  // Sorts text by bytes, as SQLite does. PostgreSQL's default order depends on its locale.
  const typed = isPostgres(db) ? script.replace(/(?<=\w )text\b/g, 'text collate "C"') : script
  for (const statement of typed.split(';'))
    if (statement.trim() !== '') await sql.raw(statement).execute(db)
}

function script(text: string): Migration {
  return { up: db => runScript(db, text) }
}

/** Keep the searchable text of orders, also while another version of the shop runs. */
async function createTextTriggers(db: Kysely<unknown>) {
  const isOnPostgres = isPostgres(db)
  // Adds the same name only once.
  const addName = `
    update order_texts set text = text || ' ' || lower(new.name)
    where order_id = new.order_id and text = replace(text, lower(new.name), '')`
  if (isOnPostgres) {
    await createTextFunctions(db)
    await createTriggerFunction(db, 'order_lines_text', addName)
  }
  const createTrigger = (name: string, event: string, action: string): Promise<unknown> => {
    const run = isOnPostgres ? `for each row execute function ${name}()` : `begin ${action}; end`
    return sql.raw(`create trigger ${name} after ${event} ${run}`).execute(db)
  }
  const save = saveText(isOnPostgres)
  await createTrigger('orders_text', 'insert on orders', save)
  await createTrigger('orders_new_text', 'update of customer, address on orders', save)
  await createTrigger('order_lines_text', 'insert on order_lines', addName)
}

function saveText(isOnPostgres: boolean) {
  const values = (column: string) =>
    isOnPostgres
      ? `json_values(orders.${column})`
      : `(select group_concat(value, ' ') from json_each(orders.${column}))`
  const join = isOnPostgres ? 'string_agg' : 'group_concat'
  const lines = 'select distinct name from order_lines where order_id = orders.id'
  const names = `(select ${join}(name, ' ') from (${lines}) as lines)`
  const parts = [values('customer'), values('address'), names]
  const text = `order_no || ${parts.map(part => `coalesce(' ' || ${part}, '')`).join(' || ')}`
  return `
    insert into order_texts (order_id, text)
    select id, lower(${text}) from orders where id = new.id
    on conflict (order_id) do update set text = excluded.text`
}

async function createTextFunctions(db: Kysely<unknown>) {
  // PostgreSQL can't read JSON with half an emoji or a null character. It is searched as it is.
  const body = `begin return (select string_agg(value, ' ') from json_each_text(document::json));
    exception when data_exception then return document; end`
  const head = 'function json_values(document text) returns text language plpgsql'
  await sql.raw(`create or replace ${head} as $$ ${body} $$`).execute(db)
  for (const name of ['orders_text', 'orders_new_text'])
    await createTriggerFunction(db, name, saveText(true))
}

async function createTriggerFunction(db: Kysely<unknown>, name: string, action: string) {
  const head = `function ${name}() returns trigger language plpgsql`
  await sql.raw(`create or replace ${head} as $$ begin ${action}; return null; end $$`).execute(db)
}

const AMOUNTS = ['quantity', 'coupon_discount', 'total', 'taxable', 'cgst', 'sgst', 'igst']

/**
 * Until here, `order_lines` stayed as invoiced, and `order_change_lines` held the packs that
 * changes had removed. A line that lost all its packs is deleted, so its facts are copied.
 */
async function moveRemovedLines(db: Kysely<unknown>) {
  const removedAmounts = AMOUNTS.map(
    name => `${name} = ${name} - (select coalesce(sum(c.${name}), 0) from order_change_lines c
      where c.order_id = order_lines.order_id and c.n = order_lines.n)`
  )
  await runScript(
    db,
    `
      create table removed_lines (
        order_id text not null,
        seq bigint not null,
        n bigint not null,
        product_id text,
        name text,
        category text,
        picture text,
        pack_value double precision,
        pack_unit text,
        pack_type text,
        list_price bigint,
        percent bigint,
        deal_id text,
        price bigint,
        hsn text,
        tax_rate bigint,
        quantity bigint,
        coupon_discount bigint,
        total bigint,
        taxable bigint,
        cgst bigint,
        sgst bigint,
        igst bigint,
        constraint removed_lines_key primary key (order_id, seq, n),
        constraint removed_lines_change foreign key (order_id, seq)
          references order_changes (order_id, seq)
      );
      insert into removed_lines
        select c.order_id, c.seq, c.n, l.product_id, l.name, l.category, l.picture, l.pack_value,
          l.pack_unit, l.pack_type, l.list_price, l.percent, l.deal_id, l.price, l.hsn, l.tax_rate,
          c.quantity, c.coupon_discount, c.total, c.taxable, c.cgst, c.sgst, c.igst
        from order_change_lines c join order_lines l on l.order_id = c.order_id and l.n = c.n;
      delete from order_lines where removed = quantity;
      update order_lines set removed = 0, ${removedAmounts.join(', ')} where removed > 0;
      delete from order_change_lines;
      update orders set total = total - credited, credited = 0 where credited > 0;`
  )
}
