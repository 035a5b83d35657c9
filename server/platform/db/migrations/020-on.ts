import { sql, type Kysely } from 'kysely'
import { isPostgres, runScript } from './run-script.ts'

const AMOUNTS = ['quantity', 'coupon_discount', 'total', 'taxable', 'cgst', 'sgst', 'igst']
const REMOVED_AMOUNTS = AMOUNTS.map(
  name => `${name} = ${name} - (select coalesce(sum(c.${name}), 0) from order_change_lines c
      where c.order_id = order_lines.order_id and c.n = order_lines.n)`
).join(', ')

export const THIRD_SCRIPTS = {
  '020-coupons': `
    create table coupons (
      id text primary key,
      code text not null unique,
      percent bigint check (percent between 1 and 100),
      amount bigint check (amount > 0),
      minimum bigint not null check (minimum >= 0),
      starts_at text not null,
      ends_at text,
      once_per_person bigint not null,
      max_uses bigint,
      uses bigint default 0 not null check (uses >= 0),
      categories text not null,
      may_be_free bigint not null,
      version bigint default 1 not null,
      creation_key text unique,
      created_at text not null,
      constraint coupons_kind check ((percent is null) <> (amount is null))
    );
    create table coupon_uses (
      order_id text primary key,
      coupon_id text not null references coupons (id),
      person text,
      active bigint not null
    );
    create unique index coupon_uses_person on coupon_uses (coupon_id, person) where active = 1;`,
  /** Orders with a chosen day that are not delivered yet take a place on it. */
  '021-delivery': `
    create table delivery_days (
      day text primary key,
      orders bigint default 0 not null check (orders >= 0),
      units bigint default 0 not null check (units >= 0)
    );
    alter table orders add column delivery_fee bigint default 0 not null;
    alter table orders add column kitchen_units bigint default 0 not null;
    alter table orders add column holds_place bigint default 0 not null;
    alter table orders add column kitchen_day text;
    alter table orders add column moved_from text;
    alter table orders add column delivery_tax text;
    alter table orders add column delivery_method text;
    alter table orders add column delivery_zone text;
    alter table orders add column event_at text;
    alter table orders add column dispatched_at text;
    alter table orders add column courier text;
    alter table orders add column tracking_number text;
    alter table orders add column tracking_link text;
    alter table orders add column note text default '' not null;
    create index orders_delivery_date on orders (delivery_date) where delivery_date is not null;
    create index orders_kitchen_day on orders (kitchen_day) where kitchen_day is not null;
    alter table products add column kitchen_units bigint default 1 not null;
    alter table products add column extra_lead_days bigint default 0 not null;
    alter table products add column local_only bigint default 0 not null;
    alter table products add column shelf_life_days bigint;
    alter table products add column allergens text default '' not null;
    alter table products add column nutrition text default '' not null;
    update orders set holds_place = 1, kitchen_day = delivery_date, kitchen_units =
        (select coalesce(sum(quantity), 0) from order_lines where order_id = orders.id)
      where delivery_date is not null and (payment_state = 'awaiting'
        or (payment_state = 'paid' and fulfilment_status in ('pending', 'packed')));
    insert into delivery_days
      select kitchen_day, count(*), sum(kitchen_units) from orders
      where holds_place = 1 group by kitchen_day;`,
  '022-order-changes': `
    alter table orders add column changes bigint default 0 not null;
    alter table orders add column credited bigint default 0 not null;
    alter table order_lines add column removed bigint default 0 not null;
    alter table refunds add column part bigint default 0 not null;
    create table order_changes (
      order_id text not null references orders (id),
      seq bigint not null,
      changed_at text not null,
      credit_year text,
      credit_no bigint,
      credited bigint not null check (credited >= 0),
      refunded bigint not null check (refunded >= 0),
      details text not null,
      constraint order_changes_pkey primary key (order_id, seq),
      constraint order_changes_credit_note unique (credit_year, credit_no),
      constraint order_changes_refunded check (refunded <= credited)
    );
    create index order_changes_time on order_changes (changed_at);
    create table order_change_lines (
      order_id text not null,
      seq bigint not null,
      n bigint not null,
      quantity bigint not null check (quantity > 0),
      coupon_discount bigint not null,
      total bigint not null check (total >= 0),
      taxable bigint,
      cgst bigint,
      sgst bigint,
      igst bigint,
      constraint order_change_lines_pkey primary key (order_id, seq, n),
      constraint order_change_lines_change foreign key (order_id, seq)
        references order_changes (order_id, seq)
    );`,
  /** By day in India, without any person. */
  '023-missed-searches': `
    create table missed_searches (
      day text not null,
      text text not null,
      count bigint not null,
      constraint missed_searches_key primary key (day, text)
    );`,
  '024-packing': `
    create table packed_lines (
      order_id text not null references orders (id) on delete cascade,
      n bigint not null,
      quantity bigint not null,
      packed_at text not null,
      constraint packed_lines_key primary key (order_id, n)
    );
    create index packed_lines_packed_at on packed_lines (packed_at);`,
  '025-nodes': `
    create table live_release (
      singleton bigint primary key check (singleton = 1),
      release text not null,
      since text not null
    );`,
  '026-large-tables': async (db: Kysely<unknown>) => {
    await runScript(
      db,
      `
      drop index orders_created;
      create index orders_list on orders (created_at desc, id, paid_at, delivery_date);
      create index orders_status on orders (fulfilment_status, created_at desc, id, payment_state);
      create index orders_paid on orders (paid_at) where paid_at is not null;
      create index orders_credited on orders (ended_at) where credit_no is not null;
      create index audit_kind on audit (kind, at);
      create index outbox_texts on outbox (created_at) where payload <> '{}';
      create table order_texts (
        order_id text primary key references orders (id) on delete cascade,
        text text not null
      );`
    )
    await createOrderTexts(db)
  },
  /** On PostgreSQL, mends the triggers that earlier versions of 026 created. */
  '027-texts-and-percents': async (db: Kysely<unknown>) => {
    // The percentage of a deal is `percent` + `hundredths` / 100. It is negative below 1 percent.
    await runScript(db, 'alter table deals add column hundredths bigint default 0 not null')
    if (isPostgres(db)) await createTextFunctions(db)
  },
  /** How long an account has kept stock stays known when the checkout is deleted. */
  '028-unpaid-checkouts': `
    alter table orders add column network text;
    alter table deleted_checkouts add column reserved_from text;
    alter table deleted_checkouts add column reserved_until text;
    create index deleted_checkouts_user on deleted_checkouts (user_id, reserved_until);
    create index orders_delivered on orders (user_id) where fulfilment_status = 'delivered';
    drop index orders_unpaid_ended;
    create index orders_unpaid on orders (payment_state, ended_at) where paid_at is null;`,
  '029-device-tokens': `alter table users add column devices_version bigint default 0 not null;`,
  /** The table `reversals` needs an order. Refunds that the shop had given up become failed. */
  '030-refunds': `
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
      where state in ('due', 'sent') and next_at is null;`,
  /**
   * Until here, `order_lines` stayed as invoiced, and `order_change_lines` held the packs that
   * changes had removed. A line that lost all its packs is deleted, so its facts are copied.
   */
  '031-removed-lines': `
    create table removed_lines (
      order_id text not null,
      seq bigint not null,
      n bigint not null,
      product_id text,
      name text,
      category text,
      picture text,
      pack_value bigint,
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
    update order_lines set removed = 0, ${REMOVED_AMOUNTS} where removed > 0;
    delete from order_change_lines;
    update orders set total = total - credited, credited = 0 where credited > 0;`
}

/** Triggers keep the searchable text of orders, also while an older version of the shop runs. */
async function createOrderTexts(db: Kysely<unknown>): Promise<void> {
  const isOnPostgres = isPostgres(db)
  if (isOnPostgres) {
    await createTextFunctions(db)
    await createFunction(db, 'order_lines_text', ADD_NAME)
  }
  const save = saveText(isOnPostgres, 'id = new.id')
  const createTrigger = (name: string, event: string, action: string): Promise<unknown> => {
    const run = isOnPostgres ? `for each row execute function ${name}()` : `begin ${action}; end`
    return sql.raw(`create trigger ${name} after ${event} ${run}`).execute(db)
  }
  await createTrigger('orders_text', 'insert on orders', save)
  await createTrigger('orders_new_text', 'update of customer, address on orders', save)
  await createTrigger('order_lines_text', 'insert on order_lines', ADD_NAME)
  await sql.raw(saveText(isOnPostgres, 'true')).execute(db)
}

/** Adds the same name only once. */
const ADD_NAME = `
    update order_texts set text = text || ' ' || lower(new.name)
    where order_id = new.order_id and text = replace(text, lower(new.name), '')`

function saveText(isOnPostgres: boolean, condition: string): string {
  const join = isOnPostgres ? 'string_agg' : 'group_concat'
  const values = (column: string): string =>
    isOnPostgres
      ? `json_values(orders.${column})`
      : `(select group_concat(value, ' ') from json_each(orders.${column}))`
  const lines = 'select distinct name from order_lines where order_id = orders.id'
  const names = `(select ${join}(name, ' ') from (${lines}) as lines)`
  const parts = [values('customer'), values('address'), names]
  const text = `order_no || ${parts.map(part => `coalesce(' ' || ${part}, '')`).join(' || ')}`
  return `
    insert into order_texts (order_id, text)
    select id, lower(${text}) from orders where ${condition}
    on conflict (order_id) do update set text = excluded.text`
}

async function createTextFunctions(db: Kysely<unknown>): Promise<void> {
  // PostgreSQL can't read JSON with half an emoji or a null character. It is searched as it is.
  const body = `begin return (select string_agg(value, ' ') from json_each_text(document::json));
    exception when data_exception then return document; end`
  const head = 'function json_values(document text) returns text language plpgsql'
  await sql.raw(`create or replace ${head} as $$ ${body} $$`).execute(db)
  const save = saveText(true, 'id = new.id')
  for (const name of ['orders_text', 'orders_new_text']) await createFunction(db, name, save)
}

async function createFunction(db: Kysely<unknown>, name: string, action: string): Promise<void> {
  const head = `function ${name}() returns trigger language plpgsql`
  await sql.raw(`create or replace ${head} as $$ begin ${action}; return null; end $$`).execute(db)
}
