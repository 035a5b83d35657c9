import type { Generated, Kysely, Transaction } from 'kysely'
import type { AuditKind, CategoryName, Dietary } from '#lib/constants.ts'
import type { Paise } from '#lib/money.ts'
import type { OrderTables } from './order-tables.ts'

/** Ids and JSON are TEXT, paise and counts BIGINT, times `toISOString()` text: the same on SQLite and PostgreSQL. */
export interface Tables extends OrderTables {
  products: ProductRow & Versioned & MadeOnce & Hideable
  pictures: PictureRow
  product_pictures: { product_id: string; position: number; picture_key: string }
  posts: PostRow & Versioned & MadeOnce & Hideable & Captioned
  deals: DealRow & Versioned
  draws: DrawRow
  contact_messages: ContactMessageRow
  outbox: OutboxRow
  users: UserRow
  sessions: SessionRow
  otp_codes: OtpCodeRow
  /** Wrong codes since the latest codes of an address were sent; the two latest share them. */
  otp_tries: { email: string; attempts: number; sent_at: string }
  /** How often something was done since the start of a window of time, by what and by whom. */
  rate_counts: { key: string; window_start: string; count: number }
  leases: { name: string; holder: string; until: string }
  publishes: PublishRow
  /** Numbers that only rise: `catalog` with each change that visitors can see, `posts` with each of a post, `publishes` with each wish for one. */
  counters: { name: string; value: number }
  audit: AuditRow
}

/** What several people may change at once: each change carries the version that it started from, and raises it. */
export interface Versioned {
  version: Generated<number>
}

/** What a form makes whose sending may be repeated: the form's own key is kept with what it has made. */
export interface MadeOnce {
  creation_key: string | null
}

export interface Hideable {
  /** Since when visitors don't find it. */
  hidden_at: string | null
}

export interface Captioned {
  /** What the picture shows, said for this use of it; otherwise the picture's own words count. */
  picture_alt: string | null
}

export interface ProductRow {
  id: string
  name: string
  name_tamil: string
  description: string
  price: Paise
  category: CategoryName
  dietary: Dietary
  /** Stars times ten: 46 is 4.6. */
  rating: number
  stock: number
  /** A JSON array of strings. */
  ingredients: string
  pack_value: number
  pack_unit: string
  pack_type: string
  shelf_life: string
  created_at: string
}

export interface PictureRow {
  /** Made of a name and the content's hash, so that a changed picture has a new address. */
  key: string
  /** The name by which the site asks for a picture that belongs to no product. */
  name: string | null
  width: number
  height: number
  alt: string
  color: string
}

export interface PostRow {
  id: string
  title: string
  author: string
  excerpt: string
  content: string
  picture_key: string | null
  created_at: string
}

export interface DealRow {
  id: string
  product_id: string
  percent: number
  starts_at: string
  ends_at: string
}

/** The one discount of a shopper and a deal. */
export interface DrawRow {
  deal_id: string
  user_id: string
  percent: number
  drawn_at: string
  /** The order that has claimed it, while it is paid for and once it is paid. */
  order_id: string | null
}

export interface ContactMessageRow {
  id: string
  reference: string
  name: string
  email: string
  message: string
  created_at: string
  read_at: string | null
  answered_at: string | null
}

export interface UserRow {
  id: string
  /** In lower case; of a deleted account a word that is no address. */
  email: string
  name: string
  role: 'admin' | 'user'
  phone: string
  /** A JSON `Address`. */
  address: string | null
  /** None for who has only ever logged in by code. */
  password_hash: string | null
  /** When a code that was mailed to the address came back. */
  verified_at: string | null
  created_at: string
  deleted_at: string | null
}

export interface SessionRow {
  /** SHA-256 of the token in hex: who reads the table can't log in with it. */
  token_hash: string
  user_id: string
  created_at: string
  expires_at: string
  /** When `expires_at` was last moved. */
  renewed_at: string
}

export interface OtpCodeRow {
  id: string
  email: string
  /** Made of address, id and code with a secret that is not in the database. */
  mac: string
  created_at: string
  expires_at: string
  /** When it was used, or its tries were. */
  voided_at: string | null
}

/** A mail that was promised in the transaction that caused it; `id` names the cause, so that it is promised once. */
export interface OutboxRow {
  id: string
  /** A JSON `Mail`. */
  payload: string
  state: 'waiting' | 'sent' | 'given_up'
  attempts: number
  next_at: string
  created_at: string
}

/** Who changed what. */
export interface AuditRow {
  id: string
  at: string
  /** None for what the shop did by itself. */
  actor_id: string | null
  actor_name: string
  kind: AuditKind
  subject_id: string
  action: string
  /** The fields that were changed as JSON, as they were; nothing for what was not there. */
  before: string | null
  after: string | null
}

/** A publish that was asked for, or a return to an older release. */
export interface PublishRow {
  id: string
  /** Something changed; the start found nothing or something old; the signed hook, an administrator or the command asked. */
  cause: 'change' | 'hook' | 'owner' | 'command' | 'return'
  state: 'waiting' | 'rendering' | 'live' | 'failed'
  requested_at: string
  started_at: string | null
  ended_at: string | null
  /** The release that visitors get since. */
  release: string | null
  /** How many pages were rendered. */
  pages: number | null
  problem: string | null
  /** Of a return: the counter of the catalogue and the code that it holds against. */
  counter: number | null
  code: string | null
}

export type Db = Kysely<Tables>
/** Only what `write` hands out: a query that takes one can't be called outside a transaction. */
export type Trx = Transaction<Tables>
