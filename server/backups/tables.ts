import type { Tables } from '../platform/db/tables.ts'

/** Table names before migration 008. Older archives and databases still contain these tables. */
type FormerTable = 'stock_moves' | 'bare_payments'

/** The tables in insertion order. A backup has no sessions, because a restore must not reactivate ended sessions. */
const IS_IN_BACKUP: Readonly<Record<keyof Tables | FormerTable, boolean>> = {
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
  stock_moves: true,
  unitemised_payments: true,
  bare_payments: true,
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

export const ALL_TABLES = Object.keys(IS_IN_BACKUP) as (keyof Tables | FormerTable)[]
export const BACKUP_TABLES = ALL_TABLES.filter(table => IS_IN_BACKUP[table])

export type Row = Record<string, string | number | null>
