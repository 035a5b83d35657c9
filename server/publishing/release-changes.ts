import { ADMIN_MESSAGES, andMoreText } from '#lib/admin/messages.ts'
import type { Release } from '#lib/contract/admin.ts'
import { COLLECTION_LABELS } from '#lib/admin/collection-form.ts'
import { POST_LABELS } from '#lib/admin/post-form.ts'
import { PRODUCT_LABELS } from '#lib/admin/product-form.ts'
import { isSectionName, SECTION_FORMS } from '#lib/admin/settings-form.ts'
import type { AuditKind } from '#lib/constants.ts'
import type { Db } from '../platform/db/tables.ts'
import type { PublishDeps } from './publish.ts'
import { type AuditedChange, countChanges, findNewestChange } from './queries.ts'
import type { ReleaseSummary } from './release/store.ts'

/** Newest first. */
export async function listReleases(
  deps: Pick<PublishDeps, 'database' | 'releases'>
): Promise<Release[]> {
  const [list, current] = await Promise.all([deps.releases.list(), deps.releases.current()])
  const db = deps.database.kysely
  const releases: Release[] = []
  for (const [index, release] of list.entries()) {
    const { id, createdAt, pages } = release
    const changes = await describeChanges(db, release, list[index + 1])
    releases.push({ id, createdAt, pages, changes, current: id === current?.id })
  }
  return releases
}

/**
 * If nobody changed anything, the cause is a new version of the shop, a sale, or a deal that began
 * or ended.
 */
async function describeChanges(
  db: Db,
  release: ReleaseSummary,
  previous: ReleaseSummary | undefined
): Promise<string> {
  if (!previous) return ADMIN_MESSAGES.releaseOldest
  const interval = { after: previous.createdAt, until: release.createdAt }
  const newest = await findNewestChange(db, interval)
  if (!newest) {
    return previous.code === release.code
      ? ADMIN_MESSAGES.releaseStockOrDeals
      : ADMIN_MESSAGES.releaseNewCode
  }
  const count = await countChanges(db, interval)
  return andMoreText(formatPageChange(toPageChange(newest)), count - 1)
}

function toPageChange({
  kind,
  subject_id,
  subject_name,
  action,
  before,
  after
}: AuditedChange): PageChange {
  const fields = { ...parseFields(before), ...parseFields(after) }
  // The names of deleted products and posts are only in the entry itself.
  const { name = subject_id, title = name } = fields
  // Some sections have a field `name`, such as the name of the shop.
  const subject = kind === 'settings' ? subject_id : (subject_name ?? String(title))
  return { kind, name: subject, action, fields: Object.keys(fields) }
}

function parseFields(json: string | null): Readonly<Record<string, unknown>> {
  return json === null ? {} : (JSON.parse(json) as Readonly<Record<string, unknown>>)
}

export interface PageChange {
  kind: AuditKind
  /** Of the product, post or collection, or the product of the deal. For settings, the section. */
  name: string
  action: string
  fields: readonly string[]
}

const ACTIONS: Readonly<Record<string, string>> = {
  created: 'added',
  deleted: 'deleted',
  hidden: 'hidden',
  shown: 'shown',
  published: 'published'
}

/** For example 'Price of Adhirasam changed'. */
export function formatPageChange(change: PageChange): string {
  return `${formatSubject(change)} ${ACTIONS[change.action] ?? 'changed'}`
}

function formatSubject({ kind, name, action, fields }: PageChange): string {
  if (kind === 'settings')
    return `Settings “${isSectionName(name) ? SECTION_FORMS[name].title : name}”`
  if (kind === 'deal') return `Flash deal for ${name}`
  const label =
    ACTIONS[action] === undefined && fields.length === 1
      ? labelsOf(kind)[fields[0] ?? '']
      : undefined
  return label === undefined ? name : `${label} of ${name}`
}

function labelsOf(kind: AuditKind): Readonly<Record<string, string>> {
  if (kind === 'post') return POST_LABELS
  return kind === 'collection' ? COLLECTION_LABELS : PRODUCT_LABELS
}
