import {
  expressionBuilder,
  sql,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool
} from 'kysely'
import { EMAIL, LIST_LIMITS } from '#lib/constants.ts'
import { normalizeEmail, normalizePhone, toSearchText } from '#lib/contract/formats.ts'
import { isPostgres } from './postgres.ts'
import type { Db, Tables } from './tables.ts'

interface PageQuery {
  page?: string | undefined
  size?: number
  /** A text that no index finds. The rows are then scanned only once. */
  q?: string | undefined
}

/** Finds the ids first, because an index can skip earlier pages without reading their rows. */
export async function readPage<Table extends keyof Tables, Row>(
  table: Table,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { page = '1', size = LIST_LIMITS.pageSize, q }: PageQuery
): Promise<{ rows: Row[]; count: number; pages: number }> {
  const offset = (Number(page) - 1) * size
  const id = sql.ref<string>(`${table}.id`)
  const selected = query.clearSelect().select(id.as('id'))
  const readAll = async (): Promise<[{ id: string }[], number]> => {
    const all = await selected.execute()
    return [all.slice(offset, offset + size), all.length]
  }
  const [found, count] = await (q === undefined
    ? Promise.all([selected.limit(size).offset(offset).execute(), countRows(query)])
    : readAll())
  const ids = found.map(row => row.id)
  const rows = ids.length === 0 ? [] : await query.clearWhere().where(id, 'in', ids).execute()
  return { rows, count, pages: Math.max(1, Math.ceil(count / size)) }
}

export async function countRows<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>
): Promise<number> {
  const counted = query.clearSelect().clearOrderBy()
  const { count } = await counted
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** `stored` must be in lower case. */
export function containsAll(db: Db, stored: Expression<string>, typed?: string) {
  return expressionBuilder().and(wordsOf(typed).map(word => contains(db, stored, word)))
}

/** Each database gets the function that is faster there. */
function contains(db: Db, stored: Expression<string>, word: string): RawBuilder<SqlBool> {
  // Indian scripts have joiners, which nobody sees.
  const text = /[^\0-\x7f]/.test(word)
    ? sql`replace(replace(${stored}, ${'\u200c'}, ''), ${'\u200d'}, '')`
    : stored
  // PostgreSQL estimates one row in 200 for `= 1`, and a third of all for `strpos(…) > 0`.
  if (isPostgres(db)) return sql`sign(strpos(${text}, ${word})) = 1`
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${text} like ${pattern} escape '\\'`
}

/** Without punctuation. A phone number is one word, and so is an email address. */
function wordsOf(typed = '') {
  const contact = [normalizePhone(typed), normalizeEmail(typed)]
  const found = contact.find(text => /^\d{10}$/.test(text) || EMAIL.test(text))
  if (found !== undefined) return [found]
  return toSearchText(typed)
    .split(/[\s'<>()#,;:-]+/)
    .filter(Boolean)
}

export async function findIdByKey(
  db: Db,
  table: 'products' | 'posts' | 'collections' | 'coupons',
  key: string
): Promise<string | undefined> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('creation_key', '=', key)
    .executeTakeFirst()
  return row?.id
}

export async function listIdsByPrefix(
  db: Db,
  table: 'products' | 'posts' | 'collections',
  prefix: string
): Promise<Set<string>> {
  const rows = await db.selectFrom(table).select('id').where('id', 'like', `${prefix}%`).execute()
  return new Set(rows.map(({ id }) => id))
}

const MAX_VALUES = 500

/** Use it for `where … in …` if the number of ids grows with the data. */
export async function readInBatches<Row>(
  ids: readonly string[],
  read: (batch: readonly string[]) => Promise<Row[]>
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < ids.length; start += MAX_VALUES) {
    rows.push(...(await read(ids.slice(start, start + MAX_VALUES))))
  }
  return rows
}
