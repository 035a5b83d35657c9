import type { Tables } from '../db/tables.ts'

/**
 * What a backup holds of each table, in an order in which they can be filled. Left out is what belongs to the moment: who
 * is logged in (a session that was ended since, on a phone that was lost, must not be alive again), codes, counts of tries,
 * who does which work, and publishes of releases that a new machine has not got.
 */
const HOLDS: Readonly<Record<keyof Tables, boolean>> = {
  counters: true,
  pictures: true,
  products: true,
  product_pictures: true,
  posts: true,
  deals: true,
  users: true,
  draws: true,
  carts: true,
  orders: true,
  order_lines: true,
  stock_movements: true,
  unitemised_payments: true,
  payments: true,
  refunds: true,
  webhook_events: true,
  contact_messages: true,
  outbox: true,
  audit: true,
  sessions: false,
  otp_codes: false,
  otp_tries: false,
  rate_counts: false,
  leases: false,
  publishes: false
}

export const ALL_TABLES = Object.keys(HOLDS) as (keyof Tables)[]
export const KEPT_TABLES = ALL_TABLES.filter(table => HOLDS[table])

/** Names that tables had before migration 008; older archives are loaded under these and then migrated. */
export const FORMER_NAMES: Readonly<Partial<Record<keyof Tables, string>>> = {
  stock_movements: 'stock_moves',
  unitemised_payments: 'bare_payments'
}

/** What a database of any age may hold in a row. */
export type Row = Record<string, string | number | null>
