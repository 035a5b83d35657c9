import type { Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { Staff, SectionName } from '#lib/contract/names.ts'
import type { AuditKind, Dietary, Language } from '#lib/constants.ts'
import type { Paise } from '#lib/money.ts'
import type { OrderTables } from './order-tables.ts'

type Texts<Names extends string, Missing = never> = Record<Names, string | Missing>

/** Ids and JSON are TEXT, paise and counts BIGINT, and times ISO text in UTC. */
export interface Tables extends OrderTables {
  /** Searchable text of each order, in lower case. Triggers keep it up to date. */
  order_texts: { order_id: string; text: string }
  products: ProductRow & SaleColumns & FamilyColumns & KitchenColumns & Editable
  pictures: PictureRow
  product_pictures: { product_id: string; position: number; picture_key: string }
  collections: CollectionRow & Editable
  collection_products: { collection_id: string; product_id: string; position: number }
  stock_alerts: StockAlertRow
  posts: PostRow & Editable & { picture_alt: string | null }
  deals: DealRow & Pick<Editable, 'version'> & { hundredths: Generated<number> }
  draws: DrawRow
  coupons: CouponRow
  coupon_uses: CouponUseRow
  contact_messages: ContactMessageRow
  message_answers: MessageAnswerRow
  outbox: OutboxRow
  users: UserColumns
  sessions: SessionRow
  otp_codes: OtpCodeRow
  /** `session`: the hash of its token. `kinds` is a JSON list. */
  bell_devices: Texts<'id' | 'session' | 'endpoint' | 'p256dh' | 'auth' | 'kinds' | 'label'> & {
    language: Language
  }
  bell_rings: Texts<'id' | 'device_id' | 'payload' | 'next_at' | 'created_at'> &
    Texts<'topic', null>
  /** One for each address. */
  invitations: Record<'id' | 'email' | 'token_hash' | 'expires_at' | 'created_at', string> & {
    staff: Staff
  }
  /** `day` in India. */
  missed_searches: { day: string; text: string; count: number }
  rate_counts: { key: string; window_start: string; count: number }
  leases: { name: string; holder: string; until: string }
  publishes: PublishRow
  /** Only increase: `catalog` with visible content, `publishes` with each request and end. */
  counters: { name: string; value: number }
  audit: AuditRow
  shop_identity: ShopIdentityRow
  settings: SettingsRow
}

export interface SettingsRow {
  section: SectionName
  version: number
  value: string
  saved_at: string
  saved_by: string | null
  saved_by_name: string
}

export interface Editable {
  /** For optimistic locking. */
  version: Generated<number>
  /** Idempotency key. */
  creation_key: string | null
  hidden_at: string | null
  translations: Generated<string>
}

export interface ProductRow {
  id: string
  name: string
  name_tamil: string
  description: string
  price: Paise
  category: string
  dietary: Dietary
  /** Stars times ten: 46 means 4.6. */
  rating: number
  stock: number
  ingredients: string
  pack_value: number
  pack_unit: string
  pack_type: string
  shelf_life: string
  created_at: string
}

/** The sale price applies from `sale_from` until just before `sale_until`. Null: no limit. */
export interface SaleColumns {
  sale_price: Paise | null
  sale_from: string | null
  sale_until: string | null
}

export interface FamilyColumns {
  /** Equal for the pack sizes of a product. Null if there is only one. */
  family_id: string | null
  family_position: Generated<number>
}

export interface KitchenColumns {
  /** 1: `stock` is kept, but does not limit sales. */
  cooked_to_order: Generated<number>
  kitchen_units: Generated<number>
  extra_lead_days: Generated<number>
  local_only: Generated<number>
  shelf_life_days: number | null
  allergens: Generated<string>
  nutrition: Generated<string>
}

export interface CollectionRow {
  id: string
  name: string
  name_tamil: string
  description: string
  picture_key: string | null
  position: number
}

export interface PictureRow {
  key: string
  name: string | null
  width: number
  height: number
  alt: string
  alt_translations: Generated<string>
  color: string
}

interface StockAlertRow {
  id: string
  product_id: string
  user_id: string
  language: Generated<Language>
  asked_at: string
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
  /** In the table, the column `hundredths` is added to it. */
  percent: number
  starts_at: string
  ends_at: string
}

export interface DrawRow {
  deal_id: string
  user_id: string
  percent: number
  drawn_at: string
  order_id: string | null
  /** Keyed hash of the address, until the deal ends. Null for a second draw of the person. */
  person: string | null
}

export interface CouponRow {
  id: string
  code: string
  /** Either this or `amount` is set. */
  percent: number | null
  amount: Paise | null
  minimum: Paise
  starts_at: string
  ends_at: string | null
  once_per_person: 0 | 1
  max_uses: number | null
  uses: number
  /** JSON list of category names. Empty for all categories. */
  categories: string
  may_be_free: 0 | 1
  version: number
  creation_key: string | null
  created_at: string
}

interface CouponUseRow {
  order_id: string
  coupon_id: string
  /** Like that of a draw, until the coupon ends. */
  person: string | null
  /** 0 after the order's reservation was released. */
  active: 0 | 1
}

export interface ContactMessageRow extends Texts<
  'id' | 'reference' | 'name' | 'email' | 'phone' | 'message' | 'created_at'
> {
  language: Generated<Language>
  read_at: string | null
  answered_at: string | null
}

interface MessageAnswerRow {
  message_id: string
  /** Idempotency key. */
  key: string
  text: string
  answered_by: string
  answered_by_name: string
  created_at: string
}

export type UserRow = Selectable<UserColumns>

interface UserColumns {
  id: string
  /** In lower case. A deleted account has a placeholder instead of an address. */
  email: string
  name: string
  language: Generated<Language>
  staff: Staff | null
  phone: string
  address: string | null
  password_hash: string | null
  verified_at: string | null
  /** Set while the account has the password that the first start printed. */
  printed_password_at: string | null
  /** Part of the device tokens. Increases when all sessions end. */
  devices_version: Generated<number>
  created_at: string
  deleted_at: string | null
}

export interface SessionRow {
  token_hash: string
  user_id: string
  created_at: string
  expires_at: string
  renewed_at: string
  /** Last time of a password or code. Null in sessions older than this column. */
  identity_verified_at: string | null
}

export interface OtpCodeRow {
  id: string
  email: string
  /** HMAC of the email address, `id` and the code. The secret key is not in the database. */
  mac: string
  created_at: string
  expires_at: string
  voided_at: string | null
}

/** `id` is derived from the cause of the mail, so that each is queued only once. */
export interface OutboxRow {
  id: string
  payload: string
  state: 'waiting' | 'sent' | 'given_up'
  attempts: number
  next_at: string
  created_at: string
}

export interface AuditRow {
  id: string
  at: string
  actor_id: string | null
  actor_name: string
  kind: AuditKind
  subject_id: string
  action: string
  before: string | null
  after: string | null
}

export interface ShopIdentityRow {
  singleton: 1
  /** Random. Written into the notes of provider orders, to recognise this shop's payments. */
  id: string
  /** Address of the live shop. Null after a restore, until an administrator confirms it. */
  site_url: string | null
  created_at: string
}

export interface PublishRow extends Texts<'started_at' | 'ended_at' | 'release' | 'problem', null> {
  id: string
  cause: 'change' | 'hook' | 'owner'
  state: 'waiting' | 'rendering' | 'live' | 'failed'
  requested_at: string
  pages: number | null
}

export type Db = Kysely<Tables>
/** Only `write` creates a `Trx`, so queries that need one run in a transaction. */
export type Trx = Transaction<Tables>
