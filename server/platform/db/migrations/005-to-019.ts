export const SECOND_SCRIPTS = {
  '005-admin': `
    alter table products add column version bigint default 1 not null;
    alter table posts add column version bigint default 1 not null;
    alter table deals add column version bigint default 1 not null;
    alter table products add column creation_key text;
    create unique index products_creation_key on products (creation_key);
    alter table posts add column creation_key text;
    create unique index posts_creation_key on posts (creation_key);
    alter table products add column hidden_at text;
    alter table contact_messages add column read_at text;
    alter table contact_messages add column answered_at text;
    create index contact_messages_created on contact_messages (created_at);
    create table audit (
      id text primary key,
      at text not null,
      actor_id text,
      actor_name text not null,
      kind text not null
        check (kind in ('product', 'stock', 'deal', 'post', 'user', 'order', 'message', 'publish')),
      subject_id text not null,
      what text not null,
      before text,
      after text
    );
    create index audit_subject on audit (kind, subject_id, at);
    create index audit_at on audit (at);`,
  '006-publishes': `
    create table publishes (
      id text primary key,
      cause text not null,
      state text not null check (state in ('waiting', 'rendering', 'live', 'failed')),
      requested_at text not null,
      started_at text,
      ended_at text,
      release text,
      pages bigint,
      problem text,
      counter bigint,
      code text
    );
    create index publishes_requested on publishes (requested_at);`,
  '007-blog': `
    alter table posts add column hidden_at text;
    alter table posts add column picture_alt text;`,
  /** Gives tables and columns the names of the glossary. */
  '008-plain-names': `
    alter table orders rename column request to request_hash;
    alter table orders rename column fulfil_state to fulfilment_status;
    alter table orders rename column hold_until to reserved_until;
    alter table orders rename column forgotten_at to anonymised_at;
    alter table stock_moves rename to stock_movements;
    alter table stock_movements rename column why to reason;
    update stock_movements set reason = 'reserved' where reason = 'held';
    alter table audit rename column what to action;
    drop index bare_payments_next_check;
    alter table bare_payments rename to unitemised_payments;
    create index unitemised_payments_next_check on unitemised_payments (next_check_at)
      where next_check_at is not null;`,
  '009-shopper-cancellations': `alter table orders add column cancelled_by_shopper_at text;`,
  /** Tries of login codes are counted in `rate_counts`. */
  '010-code-tries': `drop table otp_tries;`,
  /** For the deletion of checkouts that nobody tried to pay. */
  '011-unpaid-orders': `
    create index orders_unpaid_ended on orders (ended_at) where paid_at is null;
    create index unitemised_payments_order on unitemised_payments (order_id);`,
  /** Makes it cheap to check whether a product was ever ordered. */
  '012-ordered-products': `create index order_lines_product on order_lines (product_id);`,
  /** Existing draws belong to their account, not to a person. */
  '013-protection': `
    alter table sessions add column identity_verified_at text;
    alter table draws add column person text;
    create unique index draws_person on draws (deal_id, person);
    create table stock_words (
      product_id text primary key references products (id) on delete cascade,
      word text not null check (word in ('in', 'low', 'out')),
      shown_at text not null
    );
    create table shop_identity (
      singleton bigint primary key check (singleton = 1),
      id text not null,
      site_url text,
      created_at text not null
    );
    create table unmatched_payments (
      payment_id text primary key references payments (id),
      order_no text,
      found_at text not null,
      decision text check (decision in ('refund', 'keep'))
    );
    create table reversals (
      id text primary key,
      order_id text not null references orders (id),
      payment_id text not null references payments (id),
      kind text not null check (kind in ('refund', 'dispute')),
      amount bigint not null check (amount >= 0),
      state text not null check (state in ('pending', 'returned', 'void')),
      acknowledged_at text,
      created_at text not null
    );
    create index reversals_order on reversals (order_id);
    create index reversals_payment on reversals (payment_id);
    alter table webhook_events add column dispute_id text;`,
  /** SQLite can't change a check, so `audit` is copied without it. Administrators become owners. */
  '014-settings-and-staff': `
    create table settings (
      section text not null,
      version bigint not null,
      value text not null,
      saved_at text not null,
      saved_by text,
      saved_by_name text not null,
      constraint settings_version primary key (section, version)
    );
    create table audit_copy (
      id text primary key,
      at text not null,
      actor_id text,
      actor_name text not null,
      kind text not null,
      subject_id text not null,
      action text not null,
      before text,
      after text
    );
    insert into audit_copy
      select * from audit;
    drop table audit;
    alter table audit_copy rename to audit;
    create index audit_subject on audit (kind, subject_id, at);
    create index audit_at on audit (at);
    alter table contact_messages add column phone text default '' not null;
    create table message_answers (
      message_id text not null references contact_messages (id),
      key text not null,
      text text not null,
      answered_by text not null,
      answered_by_name text not null,
      created_at text not null,
      constraint message_answers_key primary key (message_id, key)
    );
    alter table users add column staff text;
    update users set staff = 'owner' where role = 'admin';
    alter table users drop column role;
    alter table users add column printed_password_at text;
    alter table orders add column payment_mode text;`,
  /** A provider order can be paid for ever, so its id is kept when the checkout is deleted. */
  '015-deleted-checkouts': `
    create table deleted_checkouts (
      provider_order_id text primary key,
      user_id text not null references users (id)
    );
    create index unitemised_payments_refused on unitemised_payments (created_at) where state =
      'refused';`,
  /** The total of a line is now price × quantity − coupon discount. */
  '016-reductions': `
    alter table products add column sale_price bigint check (sale_price >= 0);
    alter table products add column sale_from text;
    alter table products add column sale_until text;
    alter table orders add column coupon_id text;
    alter table orders add column coupon_code text;
    create table order_lines_copy (
      order_id text not null references orders (id),
      n bigint not null,
      product_id text not null,
      name text not null,
      category text not null,
      picture text,
      pack_value double precision not null,
      pack_unit text not null,
      pack_type text not null,
      quantity bigint not null check (quantity > 0),
      list_price bigint not null check (list_price >= 0),
      percent bigint check (percent between 1 and 100),
      deal_id text,
      price bigint not null check (price >= 0),
      coupon_discount bigint default 0 not null check (coupon_discount >= 0),
      total bigint not null check (total >= 0),
      constraint order_lines_key primary key (order_id, n),
      constraint order_lines_net_total check (total = price * quantity - coupon_discount)
    );
    insert into order_lines_copy
      select order_id, n, product_id, name, category, picture, pack_value, pack_unit, pack_type,
        quantity, list_price, percent, deal_id, price, 0, total from order_lines;
    drop table order_lines;
    alter table order_lines_copy rename to order_lines;
    create index order_lines_product on order_lines (product_id);`,
  '017-families-and-collections': `
    alter table products add column family_id text;
    alter table products add column family_position bigint default 0 not null;
    create index products_family on products (family_id);
    create table collections (
      id text primary key,
      name text not null,
      name_tamil text not null,
      description text not null,
      picture_key text references pictures (key),
      position bigint not null,
      version bigint default 1 not null,
      creation_key text unique,
      hidden_at text
    );
    create index collections_picture on collections (picture_key);
    create table collection_products (
      collection_id text not null references collections (id) on delete cascade,
      product_id text not null references products (id) on delete cascade,
      position bigint not null,
      constraint collection_products_pkey primary key (collection_id, product_id)
    );
    create index collection_products_product on collection_products (product_id);`,
  /** An issued invoice keeps its seller and taxes when the settings change. */
  '018-tax': `
    alter table orders add column tax_status text;
    alter table orders add column supply_state text;
    alter table orders add column seller text;
    alter table order_lines add column hsn text;
    alter table order_lines add column tax_rate bigint;
    alter table order_lines add column taxable bigint;
    alter table order_lines add column cgst bigint;
    alter table order_lines add column sgst bigint;
    alter table order_lines add column igst bigint;`,
  '019-stock-alerts': `
    create table stock_alerts (
      id text primary key,
      product_id text not null references products (id) on delete cascade,
      user_id text not null references users (id),
      asked_at text not null,
      constraint stock_alerts_of_user unique (user_id, product_id)
    );
    create index stock_alerts_product on stock_alerts (product_id);`
}
