import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { AuditKind } from '#lib/constants.ts'
import { Done } from '#lib/contract/accounts.ts'
import { IdPath, RemovalQuery } from '#lib/contract/values.ts'
import { ShopError, type ErrorCode } from '#lib/errors.ts'
import { findFreeSlug, toSlug } from '#lib/paths.ts'
import { type IsoTime, isoNow } from '#lib/time.ts'
import { findIdByKey, listIdsByPrefix } from '../platform/db/search.ts'
import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { route } from '../platform/http/validate.ts'
import { type Actor, changedFields, record, recordEdit } from './audit.ts'
import { isRecentlyVerified, sessionOf } from './sessions.ts'

export interface Editor {
  actor: Actor
  isVerified?: boolean
}

export interface Edit extends Editor {
  at: IsoTime
  action?: string
}

interface RecordType<Item, Fields> {
  kind: AuditKind
  table: 'products' | 'posts' | 'collections' | 'coupons' | 'deals'
  notFound: ErrorCode
  shownAction?: string
  /** Makes changes wait for each other until the commit. A new record has no id. */
  lock: (trx: Trx, id?: string) => Promise<unknown>
  find: (db: Db, id: string, now: IsoTime) => Promise<Item | undefined>
  fieldsOf: (item: Item) => Fields
  save: (trx: Trx, edit: Edit, item: Item, changed: Partial<Fields>) => Promise<void>
  removed?: (trx: Trx, item: Item) => Promise<void>
}

interface Stored {
  id: string
  version: number
}

type Change<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined } & { version: number }

/**
 * Records that several administrators edit: products, collections, posts, coupons and deals. Each
 * change names the version that it is based on (EDIT_CONFLICT if there is a newer one), and is
 * recorded in the audit.
 */
export class Records<Item extends Stored, Fields extends object> {
  readonly #type: RecordType<Item, Fields>

  constructor(type: RecordType<Item, Fields>) {
    this.#type = type
  }

  async require(db: Db, id: string, now: IsoTime = ''): Promise<Item> {
    const item = await this.#type.find(db, id, now)
    if (!item) throw new ShopError(this.#type.notFound)
    return item
  }

  /**
   * If there is a record with the key of the draft, changes that one: an earlier submit of the
   * form has created its version 1. `insert` returns the new id.
   */
  create<Draft extends Fields & { key: string }>(
    { write, clock }: DataDeps,
    editor: Editor,
    draft: Draft,
    insert: (trx: Trx, edit: Edit, draft: Draft) => Promise<string>
  ): Promise<{ item: Item; isNew: boolean }> {
    const { kind, table, lock, fieldsOf } = this.#type
    return write(async trx => {
      const edit = { ...editor, at: isoNow(clock) }
      await lock(trx)
      const known = table === 'deals' ? undefined : await findIdByKey(trx, table, draft.key)
      if (known !== undefined) {
        const item = await this.#change(trx, edit, known, { ...draft, version: 1 })
        return { item, isNew: false }
      }
      const id = await insert(trx, edit, draft)
      const item = await this.require(trx, id, edit.at)
      await record(trx, { ...toEntry(edit), kind, id, action: 'created', after: fieldsOf(item) })
      return { item, isNew: true }
    })
  }

  change(
    { write, clock }: DataDeps,
    editor: Editor,
    id: string,
    change: Change<Fields>
  ): Promise<Item> {
    return write(trx => this.#change(trx, { ...editor, at: isoNow(clock) }, id, change))
  }

  async #change(trx: Trx, edit: Edit, id: string, change: Change<Fields>): Promise<Item> {
    await this.#type.lock(trx, id)
    const item = await this.require(trx, id, edit.at)
    const changed = this.findChanged(item, change)
    if (!changed) return item
    await this.save(trx, edit, item, changed)
    return this.require(trx, id, edit.at)
  }

  findChanged(item: Item, { version, ...fields }: Change<Fields>): Partial<Fields> | undefined {
    const before = this.#type.fieldsOf(item)
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => name in before))
    const changed = changedFields(before, known as Partial<Fields>)
    if (Object.keys(changed).length === 0) return undefined
    if (version !== item.version) throw new ShopError('EDIT_CONFLICT')
    return changed
  }

  async save(trx: Trx, edit: Edit, item: Item, changed: Partial<Fields>) {
    const { kind, shownAction, fieldsOf, save } = this.#type
    await save(trx, edit, item, changed)
    const entry = { ...toEntry(edit), kind, id: item.id }
    await recordEdit(trx, entry, fieldsOf(item), changed, shownAction)
  }

  remove(
    { write, clock }: DataDeps,
    { actor }: Editor,
    id: string,
    version?: number
  ): Promise<Item> {
    return write(async trx => {
      const at = isoNow(clock)
      await this.#type.lock(trx, id)
      const item = await this.require(trx, id, at)
      await this.delete(trx, { actor, at }, item, version)
      return item
    })
  }

  async delete(trx: Trx, edit: Edit, item: Item, version?: number) {
    const { kind, table, fieldsOf } = this.#type
    if (version !== undefined && version !== item.version) throw new ShopError('EDIT_CONFLICT')
    await trx.deleteFrom(table).where('id', '=', item.id).execute()
    const before = fieldsOf(item)
    await record(trx, { ...toEntry(edit), kind, id: item.id, action: 'deleted', before })
    await this.#type.removed?.(trx, item)
  }
}

function toEntry({ actor, at, action = 'changed' }: Edit): Required<Omit<Edit, 'isVerified'>> {
  return { actor, at, action }
}

/** For replies, which have none if it is empty. */
export function toTranslations<Item extends { translations?: unknown }>({
  translations
}: {
  translations: string
}): Pick<Item, 'translations'> {
  return translations === '{}'
    ? {}
    : { translations: JSON.parse(translations) as Item['translations'] }
}

export function requireSameIds(ids: readonly string[], current: readonly string[]): void {
  if (ids.toSorted().join() !== current.toSorted().join()) throw new ShopError('EDIT_CONFLICT')
}

export async function findFreeId(
  trx: Trx,
  table: 'products' | 'posts' | 'collections',
  name: string
): Promise<string> {
  const slug = toSlug(name, table.slice(0, -1))
  return findFreeSlug(slug, await listIdsByPrefix(trx, table, slug))
}

type Schema<Value> = z.core.$ZodType<Value>

interface RecordCalls<Item extends Stored, Fields extends object, Draft, Change> {
  noun: string
  records: Records<Item, Fields>
  bodyLimit?: number
  item: Schema<Item>
  draft: Schema<Draft>
  change: Schema<Change>
  create: (editor: Editor, draft: Draft) => Promise<{ item: Item; isNew: boolean }>
  edit?: (editor: Editor, id: string, change: Change) => Promise<Item>
}

export function toEditor(request: FastifyRequest): Editor {
  return {
    actor: sessionOf(request).user,
    isVerified: isRecentlyVerified(request)
  }
}

export function recordRoutes<
  Item extends Stored,
  Fields extends object,
  Draft,
  Edits extends Change<Fields>
>(app: FastifyInstance, calls: RecordCalls<Item, Fields, Draft, Edits>): void {
  const { noun, records, item, draft, change, create, edit } = calls
  const limit = calls.bodyLimit === undefined ? {} : { bodyLimit: calls.bodyLimit }
  const path = `/${noun}s/:id`
  const idOf = (request: FastifyRequest) => (request.params as { id: string }).id

  app.get(path, route(`Get a ${noun}`, item, { params: IdPath }), request =>
    records.require(app.database.kysely, idOf(request), isoNow(app.clock))
  )

  app.post(
    `/${noun}s`,
    {
      ...limit,
      schema: {
        summary: `Create a ${noun} (idempotent by key)`,
        body: draft,
        response: { 200: item, 201: item }
      }
    },
    async (request, reply) => {
      const created = await create(toEditor(request), request.body as Draft)
      return reply.code(created.isNew ? 201 : 200).send(created.item)
    }
  )

  app.patch(
    path,
    {
      ...limit,
      ...route(`Change the given fields of a ${noun}`, item, { params: IdPath, body: change })
    },
    request => {
      const [editor, id, edits] = [toEditor(request), idOf(request), request.body as Edits]
      return edit ? edit(editor, id, edits) : records.change(app, editor, id, edits)
    }
  )
}

export function removalRoute(
  app: FastifyInstance,
  noun: string,
  remove: (editor: Editor, id: string, version: number) => Promise<string>
): void {
  app.delete(
    `/${noun}s/:id`,
    route(`Delete a ${noun}`, Done, { params: IdPath, querystring: RemovalQuery }),
    async request => {
      const { id } = request.params as { id: string }
      const { version } = request.query as { version: string }
      return { message: await remove(toEditor(request), id, Number(version)) }
    }
  )
}
