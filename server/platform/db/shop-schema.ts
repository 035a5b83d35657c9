/** Catalogue, accounts, contents and technical tables, as migrations 001 to 026 left them. */
export const SHOP_SCHEMA = `
  create table products (
    id text primary key,
    name text not null,
    name_tamil text not null,
    description text not null,
    price bigint not null check (price >= 0),
    category text not null,
    dietary text not null,
    rating bigint not null check (rating between 0 and 50),
    stock bigint not null check (stock >= 0),
    ingredients text not null,
    pack_value double precision not null check (pack_value > 0),
    pack_unit text not null,
    pack_type text not null,
    shelf_life text not null,
    created_at text not null,
    version bigint default 1 not null,
    creation_key text,
    hidden_at text,
    sale_price bigint check (sale_price >= 0),
    sale_from text,
    sale_until text,
    family_id text,
    family_position bigint default 0 not null,
    kitchen_units bigint default 1 not null,
    extra_lead_days bigint default 0 not null,
    local_only bigint default 0 not null,
    shelf_life_days bigint,
    allergens text default '' not null,
    nutrition text default '' not null
  );
  create unique index products_creation_key on products (creation_key);
  create index products_family on products (family_id);
  create table pictures (
    key text primary key,
    name text unique,
    width bigint not null check (width > 0),
    height bigint not null check (height > 0),
    alt text not null,
    color text not null
  );
  create table product_pictures (
    product_id text not null references products (id) on delete cascade,
    position bigint not null check (position >= 0),
    picture_key text not null references pictures (key),
    primary key (product_id, position)
  );
  create index product_pictures_picture on product_pictures (picture_key);
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
    primary key (collection_id, product_id)
  );
  create index collection_products_product on collection_products (product_id);
  create table posts (
    id text primary key,
    title text not null,
    author text not null,
    excerpt text not null,
    content text not null,
    picture_key text references pictures (key),
    created_at text not null,
    version bigint default 1 not null,
    creation_key text,
    hidden_at text,
    picture_alt text
  );
  create index posts_picture on posts (picture_key);
  create index posts_created on posts (created_at);
  create unique index posts_creation_key on posts (creation_key);
  create table users (
    id text primary key,
    email text not null unique,
    name text not null,
    phone text not null,
    address text,
    password_hash text,
    verified_at text,
    created_at text not null,
    deleted_at text,
    staff text,
    printed_password_at text
  );
  create table sessions (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    created_at text not null,
    expires_at text not null,
    renewed_at text not null,
    identity_verified_at text
  );
  create index sessions_user on sessions (user_id);
  create index sessions_expires on sessions (expires_at);
  create table otp_codes (
    id text primary key,
    email text not null,
    mac text not null,
    created_at text not null,
    expires_at text not null,
    voided_at text
  );
  create index otp_codes_email on otp_codes (email, created_at);
  create index otp_codes_created on otp_codes (created_at);
  create table rate_counts (
    key text not null,
    window_start text not null,
    count bigint not null check (count >= 0),
    primary key (key, window_start)
  );
  create index rate_counts_window on rate_counts (window_start);
  create table stock_alerts (
    id text primary key,
    product_id text not null references products (id) on delete cascade,
    user_id text not null references users (id),
    asked_at text not null,
    unique (user_id, product_id)
  );
  create index stock_alerts_product on stock_alerts (product_id);
  create table deals (
    id text primary key,
    product_id text not null references products (id) on delete cascade,
    percent bigint not null check (percent between 1 and 100),
    starts_at text not null,
    ends_at text not null,
    version bigint default 1 not null,
    check (ends_at > starts_at)
  );
  create index deals_product on deals (product_id, starts_at);
  create index deals_ends on deals (ends_at);
  create table draws (
    deal_id text not null references deals (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    percent bigint not null check (percent between 1 and 100),
    drawn_at text not null,
    order_id text,
    person text,
    primary key (deal_id, user_id)
  );
  create index draws_user on draws (user_id);
  create index draws_order on draws (order_id);
  create unique index draws_person on draws (deal_id, person);
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
    check ((percent is null) <> (amount is null))
  );
  create table coupon_uses (
    order_id text primary key,
    coupon_id text not null references coupons (id),
    person text,
    active bigint not null
  );
  create unique index coupon_uses_person on coupon_uses (coupon_id, person) where active = 1;
  create table contact_messages (
    id text primary key,
    reference text not null unique,
    name text not null,
    email text not null,
    message text not null,
    created_at text not null,
    read_at text,
    answered_at text,
    phone text default '' not null
  );
  create index contact_messages_created on contact_messages (created_at);
  create table message_answers (
    message_id text not null references contact_messages (id),
    key text not null,
    text text not null,
    answered_by text not null,
    answered_by_name text not null,
    created_at text not null,
    primary key (message_id, key)
  );
  create table outbox (
    id text primary key,
    payload text not null,
    state text not null check (state in ('waiting', 'sent', 'given_up')),
    attempts bigint not null check (attempts >= 0),
    next_at text not null,
    created_at text not null
  );
  create index outbox_next on outbox (state, next_at);
  create index outbox_texts on outbox (created_at) where payload <> '{}';
  create table settings (
    section text not null,
    version bigint not null,
    value text not null,
    saved_at text not null,
    saved_by text,
    saved_by_name text not null,
    primary key (section, version)
  );
  create table audit (
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
  create index audit_subject on audit (kind, subject_id, at);
  create index audit_at on audit (at);
  create index audit_kind on audit (kind, at);
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
  create index publishes_requested on publishes (requested_at);
  create table missed_searches (
    day text not null,
    text text not null,
    count bigint not null,
    primary key (day, text)
  );
  create table leases (name text primary key, holder text not null, until text not null);
  create table counters (name text primary key, value bigint not null);
  create table shop_identity (
    singleton bigint primary key check (singleton = 1),
    id text not null,
    site_url text,
    created_at text not null
  );`
