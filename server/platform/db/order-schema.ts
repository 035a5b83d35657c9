/** Carts, orders and payments, as migrations 001 to 026 left them. */
export const ORDER_SCHEMA = `
  create table carts (
    user_id text primary key references users (id) on delete cascade,
    lines text not null,
    version bigint not null,
    updated_at text not null
  );
  create table orders (
    id text primary key,
    order_no text not null unique,
    user_id text not null references users (id),
    checkout_key text not null,
    request_hash text not null,
    payment_state text not null check (
      payment_state in ('awaiting', 'paid', 'expired', 'cancelled', 'refund_due', 'refunded')),
    fulfilment_status text
      check (fulfilment_status in ('pending', 'packed', 'delivered', 'cancelled')),
    currency text not null,
    total bigint not null check (total >= 0),
    customer text not null,
    address text not null,
    delivery_date text,
    provider_order_id text unique,
    signature text,
    reserved_until text not null,
    attempted_at text,
    next_check_at text,
    paid_payment_id text unique,
    paid_at text,
    packed_at text,
    delivered_at text,
    ended_at text,
    invoice_year text,
    invoice_no bigint,
    credit_year text,
    credit_no bigint,
    anonymised_at text,
    created_at text not null,
    cancelled_by_shopper_at text,
    payment_mode text,
    coupon_id text,
    coupon_code text,
    tax_status text,
    supply_state text,
    seller text,
    delivery_fee bigint default 0 not null,
    kitchen_units bigint default 0 not null,
    holds_place bigint default 0 not null,
    kitchen_day text,
    moved_from text,
    delivery_tax text,
    delivery_method text,
    delivery_zone text,
    event_at text,
    dispatched_at text,
    courier text,
    tracking_number text,
    tracking_link text,
    note text default '' not null,
    changes bigint default 0 not null,
    credited bigint default 0 not null,
    unique (user_id, checkout_key),
    unique (invoice_year, invoice_no),
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
    hsn text,
    tax_rate bigint,
    taxable bigint,
    cgst bigint,
    sgst bigint,
    igst bigint,
    removed bigint default 0 not null,
    primary key (order_id, n),
    check (total = price * quantity - coupon_discount)
  );
  create index order_lines_product on order_lines (product_id);
  create table order_texts (
    order_id text primary key references orders (id) on delete cascade,
    text text not null
  );
  create table packed_lines (
    order_id text not null references orders (id) on delete cascade,
    n bigint not null,
    quantity bigint not null,
    packed_at text not null,
    primary key (order_id, n)
  );
  create index packed_lines_packed_at on packed_lines (packed_at);
  create table order_changes (
    order_id text not null references orders (id),
    seq bigint not null,
    changed_at text not null,
    credit_year text,
    credit_no bigint,
    credited bigint not null check (credited >= 0),
    refunded bigint not null check (refunded >= 0),
    details text not null,
    primary key (order_id, seq),
    unique (credit_year, credit_no),
    check (refunded <= credited)
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
    primary key (order_id, seq, n),
    foreign key (order_id, seq) references order_changes (order_id, seq)
  );
  create table delivery_days (
    day text primary key,
    orders bigint default 0 not null check (orders >= 0),
    units bigint default 0 not null check (units >= 0)
  );
  create table stock_movements (
    order_id text not null references orders (id),
    product_id text not null,
    seq bigint not null,
    delta bigint not null,
    reason text not null,
    moved_at text not null,
    primary key (order_id, product_id, seq)
  );
  create table unitemised_payments (
    id text primary key,
    user_id text not null references users (id),
    state text not null check (state in ('open', 'used', 'refused')),
    total bigint not null check (total > 0),
    provider_order_id text unique,
    order_id text references orders (id),
    next_check_at text,
    created_at text not null
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
    id text primary key,
    provider_order_id text,
    amount bigint not null check (amount >= 0),
    currency text not null,
    status text not null,
    rank bigint not null,
    method text,
    created_at text not null,
    updated_at text not null
  );
  create index payments_order on payments (provider_order_id);
  create table refunds (
    id text primary key,
    payment_id text not null references payments (id),
    seq bigint not null,
    order_id text references orders (id),
    amount bigint not null check (amount > 0),
    reason text not null,
    state text not null check (state in ('due', 'sent', 'processed', 'failed')),
    body text not null,
    provider_refund_id text unique,
    attempts bigint not null,
    next_at text,
    created_at text not null,
    part bigint default 0 not null,
    unique (payment_id, seq)
  );
  create index refunds_order on refunds (order_id);
  create index refunds_next on refunds (next_at) where next_at is not null;
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
  create table unmatched_payments (
    payment_id text primary key references payments (id),
    order_no text,
    found_at text not null,
    decision text check (decision in ('refund', 'keep'))
  );
  create table webhook_events (
    id text primary key,
    type text not null,
    payment_id text,
    refund_id text,
    attempts bigint not null,
    next_at text,
    received_at text not null,
    dispute_id text
  );
  create index webhook_events_next on webhook_events (next_at) where next_at is not null;
  create index webhook_events_received on webhook_events (received_at);`
