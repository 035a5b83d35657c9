-- As migrations 001 to 026 left it: catalogue, accounts, contents, then orders and payments.
create table products (
  id text primary key, name text not null, name_tamil text not null, description text not null,
  price bigint not null check (price >= 0), category text not null, dietary text not null,
  rating bigint not null check (rating between 0 and 50),
  stock bigint not null check (stock >= 0), ingredients text not null,
  pack_value double precision not null check (pack_value > 0), pack_unit text not null,
  pack_type text not null, shelf_life text not null, created_at text not null,
  version bigint default 1 not null, creation_key text, hidden_at text,
  sale_price bigint check (sale_price >= 0), sale_from text, sale_until text, family_id text,
  family_position bigint default 0 not null, kitchen_units bigint default 1 not null,
  extra_lead_days bigint default 0 not null, local_only bigint default 0 not null,
  shelf_life_days bigint, allergens text default '' not null, nutrition text default '' not null
);
create unique index products_creation_key on products (creation_key);
create index products_family on products (family_id);
create table pictures (
  key text primary key, name text unique, width bigint not null check (width > 0),
  height bigint not null check (height > 0), alt text not null, color text not null
);
create table product_pictures (
  product_id text not null references products (id) on delete cascade,
  position bigint not null check (position >= 0),
  picture_key text not null references pictures (key), primary key (product_id, position)
);
create index product_pictures_picture on product_pictures (picture_key);
create table collections (
  id text primary key, name text not null, name_tamil text not null, description text not null,
  picture_key text references pictures (key), position bigint not null,
  version bigint default 1 not null, creation_key text unique, hidden_at text
);
create index collections_picture on collections (picture_key);
create table collection_products (
  collection_id text not null references collections (id) on delete cascade,
  product_id text not null references products (id) on delete cascade, position bigint not null,
  primary key (collection_id, product_id)
);
create index collection_products_product on collection_products (product_id);
create table posts (
  id text primary key, title text not null, author text not null, excerpt text not null,
  content text not null, picture_key text references pictures (key), created_at text not null,
  version bigint default 1 not null, creation_key text, hidden_at text, picture_alt text
);
create index posts_picture on posts (picture_key);
create index posts_created on posts (created_at);
create unique index posts_creation_key on posts (creation_key);
create table users (
  id text primary key, email text not null unique, name text not null, phone text not null,
  address text, password_hash text, verified_at text, created_at text not null, deleted_at text,
  staff text, printed_password_at text
);
create table sessions (
  token_hash text primary key, user_id text not null references users (id) on delete cascade,
  created_at text not null, expires_at text not null, renewed_at text not null,
  identity_verified_at text
);
create index sessions_user on sessions (user_id);
create index sessions_expires on sessions (expires_at);
create table otp_codes (
  id text primary key, email text not null, mac text not null, created_at text not null,
  expires_at text not null, voided_at text
);
create index otp_codes_email on otp_codes (email, created_at);
create index otp_codes_created on otp_codes (created_at);
create table rate_counts (
  key text not null, window_start text not null, count bigint not null check (count >= 0),
  primary key (key, window_start)
);
create index rate_counts_window on rate_counts (window_start);
create table stock_alerts (
  id text primary key, product_id text not null references products (id) on delete cascade,
  user_id text not null references users (id), asked_at text not null,
  unique (user_id, product_id)
);
create index stock_alerts_product on stock_alerts (product_id);
create table deals (
  id text primary key, product_id text not null references products (id) on delete cascade,
  percent bigint not null check (percent between 1 and 100), starts_at text not null,
  ends_at text not null, version bigint default 1 not null, check (ends_at > starts_at)
);
create index deals_product on deals (product_id, starts_at);
create index deals_ends on deals (ends_at);
create table draws (
  deal_id text not null references deals (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  percent bigint not null check (percent between 1 and 100), drawn_at text not null,
  order_id text, person text, primary key (deal_id, user_id)
);
create index draws_user on draws (user_id);
create index draws_order on draws (order_id);
create unique index draws_person on draws (deal_id, person);
create table coupons (
  id text primary key, code text not null unique,
  percent bigint check (percent between 1 and 100), amount bigint check (amount > 0),
  minimum bigint not null check (minimum >= 0), starts_at text not null, ends_at text,
  once_per_person bigint not null, max_uses bigint,
  uses bigint default 0 not null check (uses >= 0), categories text not null,
  may_be_free bigint not null, version bigint default 1 not null, creation_key text unique,
  created_at text not null, check ((percent is null) <> (amount is null))
);
create table coupon_uses (
  order_id text primary key, coupon_id text not null references coupons (id), person text,
  active bigint not null
);
create unique index coupon_uses_person on coupon_uses (coupon_id, person) where active = 1;
create table contact_messages (
  id text primary key, reference text not null unique, name text not null, email text not null,
  message text not null, created_at text not null, read_at text, answered_at text,
  phone text default '' not null
);
create index contact_messages_created on contact_messages (created_at);
create table message_answers (
  message_id text not null references contact_messages (id), key text not null,
  text text not null, answered_by text not null, answered_by_name text not null,
  created_at text not null, primary key (message_id, key)
);
create table outbox (
  id text primary key, payload text not null,
  state text not null check (state in ('waiting', 'sent', 'given_up')),
  attempts bigint not null check (attempts >= 0), next_at text not null,
  created_at text not null
);
create index outbox_next on outbox (state, next_at);
create index outbox_texts on outbox (created_at) where payload <> '{}';
create table settings (
  section text not null, version bigint not null, value text not null, saved_at text not null,
  saved_by text, saved_by_name text not null, primary key (section, version)
);
create table audit (
  id text primary key, at text not null, actor_id text, actor_name text not null,
  kind text not null, subject_id text not null, action text not null, before text, after text
);
create index audit_subject on audit (kind, subject_id, at);
create index audit_at on audit (at);
create index audit_kind on audit (kind, at);
create table publishes (
  id text primary key, cause text not null,
  state text not null check (state in ('waiting', 'rendering', 'live', 'failed')),
  requested_at text not null, started_at text, ended_at text, release text, pages bigint,
  problem text, counter bigint, code text
);
create index publishes_requested on publishes (requested_at);
create table missed_searches (
  day text not null, text text not null, count bigint not null, primary key (day, text)
);
create table leases (name text primary key, holder text not null, until text not null);
create table counters (name text primary key, value bigint not null);
create table shop_identity (
  singleton bigint primary key check (singleton = 1), id text not null, site_url text,
  created_at text not null
);
create table carts (
  user_id text primary key references users (id) on delete cascade, lines text not null,
  version bigint not null, updated_at text not null
);
create table orders (
  id text primary key, order_no text not null unique,
  user_id text not null references users (id), checkout_key text not null,
  request_hash text not null,
  payment_state text not null check (
    payment_state in ('awaiting', 'paid', 'expired', 'cancelled', 'refund_due', 'refunded')),
  fulfilment_status text
    check (fulfilment_status in ('pending', 'packed', 'delivered', 'cancelled')),
  currency text not null, total bigint not null check (total >= 0), customer text not null,
  address text not null, delivery_date text, provider_order_id text unique, signature text,
  reserved_until text not null, attempted_at text, next_check_at text,
  paid_payment_id text unique, paid_at text, packed_at text, delivered_at text, ended_at text,
  invoice_year text, invoice_no bigint, credit_year text, credit_no bigint, anonymised_at text,
  created_at text not null, cancelled_by_shopper_at text, payment_mode text, coupon_id text,
  coupon_code text, tax_status text, supply_state text, seller text,
  delivery_fee bigint default 0 not null, kitchen_units bigint default 0 not null,
  holds_place bigint default 0 not null, kitchen_day text, moved_from text, delivery_tax text,
  delivery_method text, delivery_zone text, event_at text, dispatched_at text, courier text,
  tracking_number text, tracking_link text, note text default '' not null,
  changes bigint default 0 not null, credited bigint default 0 not null,
  unique (user_id, checkout_key), unique (invoice_year, invoice_no),
  unique (credit_year, credit_no)
);
create index orders_awaiting on orders (user_id) where payment_state = 'awaiting';
create index orders_next_check on orders (next_check_at) where next_check_at is not null;
create index orders_delivery_date on orders (delivery_date) where delivery_date is not null;
create index orders_kitchen_day on orders (kitchen_day) where kitchen_day is not null;
create index orders_list on orders (created_at desc, id, paid_at, delivery_date);
create index orders_status on orders (fulfilment_status, created_at desc, id, payment_state);
create index orders_paid on orders (paid_at) where paid_at is not null;
create index orders_credited on orders (ended_at) where credit_no is not null;
create index orders_unpaid_ended on orders (ended_at) where paid_at is null;
create table order_lines (
  order_id text not null references orders (id), n bigint not null, product_id text not null,
  name text not null, category text not null, picture text,
  pack_value double precision not null, pack_unit text not null, pack_type text not null,
  quantity bigint not null check (quantity > 0),
  list_price bigint not null check (list_price >= 0),
  percent bigint check (percent between 1 and 100), deal_id text,
  price bigint not null check (price >= 0),
  coupon_discount bigint default 0 not null check (coupon_discount >= 0),
  total bigint not null check (total >= 0), hsn text, tax_rate bigint, taxable bigint,
  cgst bigint, sgst bigint, igst bigint, removed bigint default 0 not null,
  primary key (order_id, n), check (total = price * quantity - coupon_discount)
);
create index order_lines_product on order_lines (product_id);
create table order_texts (
  order_id text primary key references orders (id) on delete cascade,
  text text not null
);
create table packed_lines (
  order_id text not null references orders (id) on delete cascade, n bigint not null,
  quantity bigint not null, packed_at text not null, primary key (order_id, n)
);
create index packed_lines_packed_at on packed_lines (packed_at);
create table order_changes (
  order_id text not null references orders (id), seq bigint not null, changed_at text not null,
  credit_year text, credit_no bigint, credited bigint not null check (credited >= 0),
  refunded bigint not null check (refunded >= 0), details text not null,
  primary key (order_id, seq), unique (credit_year, credit_no), check (refunded <= credited)
);
create index order_changes_time on order_changes (changed_at);
create table order_change_lines (
  order_id text not null, seq bigint not null, n bigint not null,
  quantity bigint not null check (quantity > 0), coupon_discount bigint not null,
  total bigint not null check (total >= 0), taxable bigint, cgst bigint, sgst bigint,
  igst bigint, primary key (order_id, seq, n),
  foreign key (order_id, seq) references order_changes (order_id, seq)
);
create table delivery_days (
  day text primary key, orders bigint default 0 not null check (orders >= 0),
  units bigint default 0 not null check (units >= 0)
);
create table stock_movements (
  order_id text not null references orders (id), product_id text not null, seq bigint not null,
  delta bigint not null, reason text not null, moved_at text not null,
  primary key (order_id, product_id, seq)
);
create table unitemised_payments (
  id text primary key, user_id text not null references users (id),
  state text not null check (state in ('open', 'used', 'refused')),
  total bigint not null check (total > 0), provider_order_id text unique,
  order_id text references orders (id), next_check_at text, created_at text not null
);
create index unitemised_payments_next_check on unitemised_payments (next_check_at)
  where next_check_at is not null;
create index unitemised_payments_order on unitemised_payments (order_id);
create index unitemised_payments_refused on unitemised_payments (created_at)
  where state = 'refused';
create table deleted_checkouts (
  provider_order_id text primary key,
  user_id text not null references users (id)
);
create table payments (
  id text primary key, provider_order_id text, amount bigint not null check (amount >= 0),
  currency text not null, status text not null, rank bigint not null, method text,
  created_at text not null, updated_at text not null
);
create index payments_order on payments (provider_order_id);
create table refunds (
  id text primary key, payment_id text not null references payments (id), seq bigint not null,
  order_id text references orders (id), amount bigint not null check (amount > 0),
  reason text not null,
  state text not null check (state in ('due', 'sent', 'processed', 'failed')),
  body text not null, provider_refund_id text unique, attempts bigint not null, next_at text,
  created_at text not null, part bigint default 0 not null, unique (payment_id, seq)
);
create index refunds_order on refunds (order_id);
create index refunds_next on refunds (next_at) where next_at is not null;
create table reversals (
  id text primary key, order_id text not null references orders (id),
  payment_id text not null references payments (id),
  kind text not null check (kind in ('refund', 'dispute')),
  amount bigint not null check (amount >= 0),
  state text not null check (state in ('pending', 'returned', 'void')), acknowledged_at text,
  created_at text not null
);
create index reversals_order on reversals (order_id);
create index reversals_payment on reversals (payment_id);
create table unmatched_payments (
  payment_id text primary key references payments (id), order_no text, found_at text not null,
  decision text check (decision in ('refund', 'keep'))
);
create table webhook_events (
  id text primary key, type text not null, payment_id text, refund_id text,
  attempts bigint not null, next_at text, received_at text not null, dispute_id text
);
create index webhook_events_next on webhook_events (next_at) where next_at is not null;
create index webhook_events_received on webhook_events (received_at);
