import * as z from 'zod/mini'
import { BELL_KINDS, SETUP_ROW_IDS, SETUP_ROWS } from './names.ts'
import { AUDIT_KINDS, type AuditKind } from '../constants.ts'
import type { Done } from './accounts.ts'
import {
  filledText,
  Instant,
  LanguageCode,
  PackSize,
  PathId,
  plainText,
  Rupees,
  type ById
} from './values.ts'

const PUBLISH_STATES = ['waiting', 'rendering', 'live', 'failed'] as const

export type Publish = z.infer<typeof Publish>
export const Publish = z.object({
  id: z.string(),
  state: z.enum(PUBLISH_STATES),
  cause: z.enum(['change', 'hook', 'owner']),
  requestedAt: Instant,
  startedAt: z.optional(Instant),
  endedAt: z.optional(Instant),
  release: z.optional(z.string()),
  pages: z.optional(z.int()),
  problem: z.optional(z.string())
})

export type PublishRequested = z.infer<typeof PublishRequested>
export const PublishRequested = z.object({ id: z.string() })

export type Publishing = z.infer<typeof Publishing>
export const Publishing = z.object({
  waiting: z.optional(Publish),
  rendering: z.optional(Publish),
  progress: z.optional(z.object({ rendered: z.int(), of: z.int() })),
  live: z.optional(z.object({ release: z.string(), since: Instant })),
  failed: z.optional(Publish),
  /** The website shows their last version, if any. */
  failedPages: z.array(z.string())
})

export type KitchenDashboard = z.infer<typeof KitchenDashboard>
export const KitchenDashboard = z.object({
  pending: z.int(),
  toPack: z.int(),
  toPackToday: z.int(),
  packed: z.int(),
  ready: z.int(),
  dueBy: z.string(),
  lowStock: z.array(
    z.object({ id: z.string(), name: z.string(), packSize: PackSize, stock: z.int() })
  )
})

export type Dashboard = z.infer<typeof Dashboard>
export const Dashboard = z.extend(KitchenDashboard, {
  counts: z.object({ products: z.int(), orders: z.int(), users: z.int(), deals: z.int() }),
  unread: z.int(),
  sales: z.array(z.object({ day: z.iso.date(), orders: z.int(), total: Rupees })),
  /** Paid in test mode on these days, and not in the sales. */
  testOrders: z.int()
})

export type OrderCount = z.infer<typeof OrderCount>
/** Paid ones, also those that were cancelled later. The ETag is the number in quotes. */
export const OrderCount = z.object({ orders: z.int() })

const Fields = z.nullable(z.record(z.string(), z.unknown()))

export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  actor: z.object({ id: z.nullable(z.string()), name: z.string() }),
  kind: z.enum(AUDIT_KINDS),
  subject: z.string(),
  action: z.string(),
  before: Fields,
  after: Fields
})

export const AuditQuery = z.object({
  kind: z.optional(
    plainText().check(
      z.refine(kinds => kinds.split(',').every(kind => AUDIT_KINDS.includes(kind as AuditKind)))
    )
  ),
  id: z.optional(PathId)
})

export type BackupState = z.infer<typeof BackupState>
export const BackupState = z.object({ lastAt: z.nullable(Instant) })

export type CreatedBackup = z.infer<typeof CreatedBackup>
/** The backup can be downloaded for ten minutes, from `GET /backups/{ticket}`. */
export const CreatedBackup = z.object({
  ticket: z.string(),
  name: z.string(),
  size: z.int(),
  createdAt: Instant
})

export type UnmatchedPayment = z.infer<typeof UnmatchedPayment>
/** `no_order`: not in the database, for example after a restored backup. */
export const UnmatchedPayment = z.object({
  id: z.string(),
  amount: Rupees,
  problem: z.enum(['no_order', 'refund_failed']),
  orderNumber: z.optional(z.string()),
  paidAt: Instant
})

export const PAYMENT_DECISIONS = ['refund', 'keep'] as const

export type PaymentDecision = z.infer<typeof PaymentDecision>
/** `keep` after a failed refund: the owner has returned the money. */
export const PaymentDecision = z.object({ decision: z.enum(PAYMENT_DECISIONS) })

export type SetupState = z.infer<typeof SetupState>
export const SetupState = z.object({
  rows: z.array(
    z.object({
      id: z.enum(SETUP_ROW_IDS),
      missing: z.array(z.enum(Object.values(SETUP_ROWS).flat()))
    })
  ),
  payments: z.enum(['sandbox', 'test', 'live']),
  demo: z.object({
    products: z.int(),
    posts: z.int(),
    deals: z.int(),
    collections: z.int(),
    sections: z.int()
  })
})

export type MailQuery = z.infer<typeof MailQuery>
export const MailQuery = z.object({ language: LanguageCode })

export type MailSamples = z.infer<typeof MailSamples>
export const MailSamples = z.object({
  from: z.string(),
  mails: z.array(
    z.object({
      to: z.string(),
      subject: z.string(),
      text: z.string(),
      html: z.optional(z.string())
    })
  )
})

const BellKinds = z.array(z.enum(BELL_KINDS)).check(z.maxLength(BELL_KINDS.length))

export type BellDevice = z.infer<typeof BellDevice>
export const BellDevice = z.object({
  id: z.string(),
  label: z.string(),
  kinds: BellKinds,
  isThis: z.boolean()
})

export type Bell = z.infer<typeof Bell>
/** `key`: of the shop, for the browser's subscription. */
export const Bell = z.object({ key: z.string(), devices: z.array(BellDevice) })

export type BellSubscription = z.infer<typeof BellSubscription>
export const BellSubscription = z.object({
  endpoint: filledText(1000),
  keys: z.object({
    p256dh: z.string().check(z.regex(/^B[\w-]{86}$/)),
    auth: z.string().check(z.regex(/^[\w-]{22}$/))
  }),
  kinds: BellKinds
})

export interface AdminApi {
  'GET /admin/publishing': { reply: Publishing }
  'POST /admin/publishing/retry': { body: Record<string, never>; reply: PublishRequested }
  'GET /admin/dashboard': { reply: Dashboard }
  'GET /admin/kitchen': { reply: KitchenDashboard }
  'GET /admin/kitchen/order-count': { reply: OrderCount }
  'GET /admin/bell': { reply: Bell }
  'POST /admin/bell': { body: BellSubscription; reply: Bell }
  'DELETE /admin/bell/{id}': ById<Bell>
  'POST /admin/bell/test': { reply: Done }
  'GET /admin/audit': { query: { kind?: string; id?: string }; reply: AuditEntry[] }
  'GET /admin/backups': { reply: BackupState }
  'POST /admin/backups': { reply: CreatedBackup }
  'POST /admin/confirm-live': { reply: Done }
  'GET /admin/unmatched-payments': { reply: UnmatchedPayment[] }
  'POST /admin/unmatched-payments/{id}': ById<Done, { body: PaymentDecision }>
  'GET /admin/mails': { query: MailQuery; reply: MailSamples }
  'GET /admin/setup': { reply: SetupState }
  'DELETE /admin/demo-data': { reply: Done }
}
