export const FIRST_SCRIPTS = {
  '001-storefront': `
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
      created_at text not null
    );
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
      constraint product_pictures_pkey primary key (product_id, position)
    );
    create index product_pictures_picture on product_pictures (picture_key);
    create table deals (
      id text primary key,
      product_id text not null references products (id) on delete cascade,
      percent bigint not null check (percent between 1 and 100),
      starts_at text not null,
      ends_at text not null,
      constraint deals_end_after_start check (ends_at > starts_at)
    );
    create index deals_product on deals (product_id, starts_at);
    create index deals_ends on deals (ends_at);
    create table posts (
      id text primary key,
      title text not null,
      author text not null,
      excerpt text not null,
      content text not null,
      picture_key text references pictures (key),
      created_at text not null
    );
    create index posts_picture on posts (picture_key);
    create index posts_created on posts (created_at);
    create table contact_messages (
      id text primary key,
      reference text not null unique,
      name text not null,
      email text not null,
      message text not null,
      created_at text not null
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
    create table leases (
      name text primary key,
      holder text not null,
      until text not null
    );
    create table counters (
      name text primary key,
      value bigint not null
    );`,
  '002-accounts': `
    create table users (
      id text primary key,
      email text not null unique,
      name text not null,
      role text not null check (role in ('admin', 'user')),
      phone text not null,
      address text,
      password_hash text,
      verified_at text,
      created_at text not null,
      deleted_at text
    );
    create table sessions (
      token_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      created_at text not null,
      expires_at text not null,
      renewed_at text not null
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
    create table otp_tries (
      email text primary key,
      attempts bigint not null check (attempts >= 0),
      sent_at text not null
    );
    create table rate_counts (
      key text not null,
      window_start text not null,
      count bigint not null check (count >= 0),
      constraint rate_counts_pkey primary key (key, window_start)
    );
    create index rate_counts_window on rate_counts (window_start);`,
  '003-draws': `
    create table draws (
      deal_id text not null references deals (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      percent bigint not null check (percent between 1 and 100),
      drawn_at text not null,
      order_id text,
      constraint draws_pkey primary key (deal_id, user_id)
    );
    create index draws_user on draws (user_id);`,
  '004-orders': `
    create table orders (
      id text primary key,
      order_no text not null unique,
      user_id text not null references users (id),
      checkout_key text not null,
      request text not null,
      payment_state text not null check (
        payment_state in ('awaiting', 'paid', 'expired', 'cancelled', 'refund_due', 'refunded')),
      fulfil_state text check (fulfil_state in ('pending', 'packed', 'delivered', 'cancelled')),
      currency text not null,
      total bigint not null check (total >= 0),
      customer text not null,
      address text not null,
      delivery_date text,
      provider_order_id text unique,
      signature text,
      hold_until text not null,
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
      forgotten_at text,
      created_at text not null,
      constraint orders_checkout unique (user_id, checkout_key),
      constraint orders_invoice unique (invoice_year, invoice_no),
      constraint orders_credit_note unique (credit_year, credit_no)
    );
    create index orders_created on orders (created_at);
    create index orders_awaiting on orders (user_id) where payment_state = 'awaiting';
    create index orders_next_check on orders (next_check_at) where next_check_at is not null;
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
      total bigint not null,
      constraint order_lines_pkey primary key (order_id, n),
      constraint order_lines_total check (total = price * quantity)
    );
    create table stock_moves (
      order_id text not null references orders (id),
      product_id text not null,
      seq bigint not null,
      delta bigint not null,
      why text not null,
      moved_at text not null,
      constraint stock_moves_pkey primary key (order_id, product_id, seq)
    );
    create index draws_order on draws (order_id);
    create table carts (
      user_id text primary key references users (id) on delete cascade,
      lines text not null,
      version bigint not null,
      updated_at text not null
    );
    create table bare_payments (
      id text primary key,
      user_id text not null references users (id),
      state text not null check (state in ('open', 'used', 'refused')),
      total bigint not null check (total > 0),
      provider_order_id text unique,
      order_id text references orders (id),
      next_check_at text,
      created_at text not null
    );
    create index bare_payments_next_check on bare_payments (next_check_at)
      where next_check_at is not null;
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
      constraint refunds_once unique (payment_id, seq)
    );
    create index refunds_order on refunds (order_id);
    create index refunds_next on refunds (next_at) where next_at is not null;
    create table webhook_events (
      id text primary key,
      type text not null,
      payment_id text,
      refund_id text,
      attempts bigint not null,
      next_at text,
      received_at text not null
    );
    create index webhook_events_next on webhook_events (next_at) where next_at is not null;
    create index webhook_events_received on webhook_events (received_at);`
}
