import { t, text } from '#lib/contract/texts.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { OWNER_SECTIONS } from '#lib/admin/access.ts'
import type { AuditKind } from '#lib/constants.ts'
import { PAYMENT_DECISIONS, AuditEntry, AuditQuery } from '#lib/contract/admin.ts'
import type { Staff } from '#lib/contract/names.ts'
import { type IsoTime } from '#lib/time.ts'
import type { AuditRow, Db, Tables, Trx } from '../platform/db/tables.ts'
import { route } from '../platform/http/validate.ts'
import { sessionOf } from './sessions.ts'

export type Actor = { _id: string; name: string } | null

export interface Change {
  actor: Actor
  at: string
  kind: AuditKind
  id: string
  action: string
  before?: object
  after?: object
}

type Fields = Record<string, unknown>

const SYSTEM_ACTOR = text('The shop')
const MAX_ENTRIES = 100

export async function record(
  trx: Trx,
  { actor, at, kind, id, action, ...values }: Change
): Promise<void> {
  const { before, after } =
    values.before && values.after
      ? findDifferences({ ...values.before }, { ...values.after })
      : values
  if (before && after && Object.keys(after).length === 0) return
  const row: AuditRow = {
    id: randomUUID(),
    at,
    kind,
    subject_id: id,
    action,
    actor_id: actor?._id ?? null,
    actor_name: actor?.name ?? SYSTEM_ACTOR,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null
  }
  await trx.insertInto('audit').values(row).execute()
}

/** Hiding and showing gets an entry of its own. */
export async function recordEdit(
  trx: Trx,
  entry: Omit<Change, 'before' | 'after'>,
  before: { hidden?: boolean },
  { hidden, ...others }: { hidden?: boolean },
  shown = 'shown'
): Promise<void> {
  if (hidden !== undefined) {
    const action = hidden ? 'hidden' : shown
    await record(trx, { ...entry, action, before: { hidden: !hidden }, after: { hidden } })
  }
  await record(trx, { ...entry, before, after: { ...before, ...others } })
}

export async function listChanges(
  db: Db,
  { kinds, id }: { kinds?: readonly AuditKind[] | undefined; id?: string | undefined },
  reader: Staff | null = 'owner'
): Promise<AuditEntry[]> {
  // One query for each kind, because an index can sort only those of one kind by time.
  const queries = (kinds ?? [undefined]).map(kind => {
    let entries = db.selectFrom('audit').selectAll()
    if (reader !== 'owner') entries = entries.where(row => row.not(isForOwners(row)))
    if (kind !== undefined) entries = entries.where('kind', '=', kind)
    if (id !== undefined) entries = entries.where('subject_id', '=', id)
    return entries.orderBy('at', 'desc').orderBy('id').limit(MAX_ENTRIES).execute()
  })
  const rows = (await Promise.all(queries)).flat()
  return rows
    .toSorted((a, b) => b.at.localeCompare(a.at) || a.id.localeCompare(b.id))
    .slice(0, MAX_ENTRIES)
    .map(toEntry)
}

function isForOwners(row: ExpressionBuilder<Tables, 'audit'>): Expression<SqlBool> {
  return row.or([
    row('kind', '=', 'user'),
    row('kind', '=', 'settings').and('subject_id', 'in', OWNER_SECTIONS),
    row('kind', '=', 'order').and('action', 'in', PAYMENT_DECISIONS)
  ])
}

export async function listReplacedValues(
  db: Db,
  { kind, id, field, since }: { kind: AuditKind; id: string; field: string; since: IsoTime }
): Promise<unknown[]> {
  const rows = await db
    .selectFrom('audit')
    .select('before')
    .where('kind', '=', kind)
    .where('subject_id', '=', id)
    .where('at', '>', since)
    .execute()
  return rows
    .map(({ before }) => before && (JSON.parse(before) as Fields)[field])
    .filter(value => value !== undefined)
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: { id: row.actor_id, name: t(row.actor_name) },
    kind: row.kind,
    subject: row.subject_id,
    action: row.action,
    before: row.before === null ? null : (JSON.parse(row.before) as Fields),
    after: row.after === null ? null : (JSON.parse(row.after) as Fields)
  }
}

function findDifferences(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const names = Object.keys({ ...before, ...after }).filter(
    name => !isDeepStrictEqual(before[name], after[name])
  )
  const pickChanged = (fields: Fields): Fields =>
    Object.fromEntries(names.map(name => [name, fields[name]]))
  return { before: pickChanged(before), after: pickChanged(after) }
}

export function changedFields<Fields extends object>(
  current: Fields,
  changes: { readonly [Name in keyof Fields]?: Fields[Name] | undefined }
): Partial<Fields> {
  const names = (Object.keys(changes) as (keyof Fields)[]).filter(
    name => changes[name] !== undefined && !isDeepStrictEqual(changes[name], current[name])
  )
  return Object.fromEntries(names.map(name => [name, changes[name]])) as Partial<Fields>
}

export const auditRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/audit',
    route('List the audit log, newest first', z.array(AuditEntry), { querystring: AuditQuery }),
    request => {
      const { kind, id } = request.query
      const kinds = kind?.split(',') as AuditKind[] | undefined
      return listChanges(app.database.kysely, { kinds, id }, sessionOf(request).user.staff)
    }
  )
}
