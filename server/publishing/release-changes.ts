import { formatPageChange, PAGE_CHANGE_KINDS, type PageChange } from '#lib/admin/page-changes.ts'
import { ADMIN_MESSAGES, andMoreText } from '#lib/admin/messages.ts'
import type { Release } from '#lib/contract/admin.ts'
import type { Db } from '../platform/db/tables.ts'
import type { PublishDeps } from './publish.ts'
import { countChanges, findNewestChange, type AuditedChange } from './queries.ts'
import type { ReleaseSummary } from './release/store.ts'

/** Newest first. */
export async function listReleases(deps: Pick<PublishDeps, 'database' | 'releases'>): Promise<Release[]> {
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

/** Changes that nobody made in the admin pages are a new version of the shop, sales, and deals that began or ended. */
async function describeChanges(db: Db, release: ReleaseSummary, previous: ReleaseSummary | undefined): Promise<string> {
  if (!previous) return ''
  const interval = { kinds: PAGE_CHANGE_KINDS, after: previous.createdAt, until: release.createdAt }
  const newest = await findNewestChange(db, interval)
  if (!newest) {
    return previous.code === release.code ? ADMIN_MESSAGES.releaseStockOrDeals : ADMIN_MESSAGES.releaseNewCode
  }
  const count = await countChanges(db, interval)
  return andMoreText(formatPageChange(toPageChange(newest)), count - 1)
}

function toPageChange({ kind, subject_id, subject_name, action, before, after }: AuditedChange): PageChange {
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
