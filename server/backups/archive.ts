import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import * as z from 'zod/mini'
import type { Tables } from '../platform/db/tables.ts'
import { deleteOldFiles, type OldFiles } from '../platform/storage/files.ts'

export const FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'
export const TABLES_FOLDER = 'database'
export const PICTURES_FOLDER = 'pictures'

const DIGEST_CONCURRENCY = 4

export const FILE_NAME_PATTERN =
  /^(?:manifest\.json|database\/[a-z_]+\.jsonl|pictures\/[A-Za-z0-9][A-Za-z0-9_-]*\.(?:avif|webp|jpg))$/

export type Manifest = z.infer<typeof Manifest>
export const Manifest = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  rows: z.record(z.string().check(z.regex(/^[a-z_]+$/)), z.int()),
  files: z.array(
    z.object({
      name: z.string().check(z.regex(FILE_NAME_PATTERN)),
      size: z.int(),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/))
    })
  )
})

export const AnyFormatManifest = z.object({ format: z.int(), migrations: z.array(z.string()) })

export function archiveName(now: number): string {
  return `palagaram-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`
}

export function formatCounts(rows: Readonly<Record<string, number>>): string {
  const { products = 0, orders = 0, users = 0 } = rows
  return `${products} products, ${orders} orders, ${users} accounts`
}

export function tableFile(table: string): string {
  return `${TABLES_FOLDER}/${table}.jsonl`
}

export function digestFiles(folder: string, names: readonly string[]): Promise<Manifest['files']> {
  return pLimit(DIGEST_CONCURRENCY).map(names, async name => {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of createReadStream(join(folder, name))) {
      hash.update(chunk as Buffer)
      size += (chunk as Buffer).length
    }
    return { name, size, sha256: hash.digest('hex') }
  })
}

type FormerTable = 'live_release' | 'stock_words' | 'order_change_lines'

// In insertion order. A restore must not reactivate sessions. Triggers fill `order_texts`.
const IS_IN_BACKUP: Readonly<Record<keyof Tables | FormerTable, boolean>> = {
  counters: true,
  pictures: true,
  products: true,
  product_pictures: true,
  collections: true,
  collection_products: true,
  stock_words: false,
  delivery_days: true,
  posts: true,
  deals: true,
  users: true,
  draws: true,
  coupons: true,
  coupon_uses: true,
  stock_alerts: true,
  carts: true,
  orders: true,
  order_lines: true,
  order_links: true,
  order_texts: false,
  packed_lines: true,
  order_changes: true,
  removed_lines: true,
  credit_lines: true,
  order_change_lines: true,
  stock_movements: true,
  unitemised_payments: true,
  deleted_checkouts: true,
  provider_orders: true,
  payments: true,
  refunds: true,
  reversals: true,
  payment_reversals: true,
  unmatched_payments: true,
  webhook_events: true,
  contact_messages: true,
  message_answers: true,
  outbox: true,
  missed_searches: true,
  audit: true,
  shop_identity: true,
  settings: true,
  sessions: false,
  otp_codes: false,
  invitations: false,
  bell_devices: false,
  bell_rings: false,
  rate_counts: false,
  leases: false,
  publishes: false,
  live_release: false
}

export const ALL_TABLES = Object.keys(IS_IN_BACKUP) as (keyof Tables | FormerTable)[]
export const BACKUP_TABLES = ALL_TABLES.filter(table => IS_IN_BACKUP[table])

export type Row = Record<string, string | number | null>

export async function withStagingFolder<Result>(
  dataDir: string,
  leftovers: OldFiles,
  work: (folder: string) => Promise<Result>
): Promise<Result> {
  await deleteOldFiles(dataDir, leftovers)
  const folder = await mkdtemp(join(dataDir, leftovers.prefix))
  try {
    return await work(folder)
  } finally {
    // Retries, because tar may still be writing files when unpacking has already failed.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}
