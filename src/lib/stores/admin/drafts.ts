import { hasTypes } from '../../browser.ts'
import { listStored, readDraft, type RecordDraft, saveDraft } from '../storage.ts'
import type { FieldSpec, Typed } from '../../admin/fields.ts'

/** Somebody typed this into the form of a record, but has not saved it yet. */
export interface Draft<Item> {
  /** The version that the draft is based on, so that a newer one is not overwritten. */
  original: Item | undefined
  typed: Typed
  /** Of a new record that was sent. Before, two tabs with the same draft are two records. */
  key?: string
  at: number
}

const RECORD_DRAFT = /^(?:product|post|collection|deal|coupon|settings|answer) /
const MAX_DRAFTS = 20

const sending = new Set<string>()

/** Each new record has a draft of its own, with the time in its name. */
export function openDraft<Item>(
  kind: RecordDraft,
  item: Item | undefined,
  typed: Typed
): Draft<Item> & { name: RecordDraft; isRestored: boolean } {
  const names = listNewestDrafts()
  for (const old of names.slice(MAX_DRAFTS)) saveDraft(old, undefined)
  const isOfRecord = (name: string) =>
    name.startsWith(kind) && /^(?: \d+)?$/.test(name.slice(kind.length))
  for (const name of names.filter(isOfRecord)) {
    const draft = restoreDraft(name, item, typed)
    if (draft && !(sending.has(name) && !item)) return { ...draft, name, isRestored: true }
  }
  const at = Date.now()
  return { name: item ? kind : `${kind} ${at}`, original: item, typed, at, isRestored: false }
}

function listNewestDrafts(): RecordDraft[] {
  const isDraft = (name: string): name is RecordDraft => RECORD_DRAFT.test(name)
  return listStored('sessionStorage')
    .filter(isDraft)
    .toSorted((a, b) => readTime(b) - readTime(a))
}

/** Without secrets, because the browser stores it. */
export function storeDraft<Item>(
  name: RecordDraft,
  { typed, ...draft }: Draft<Item>,
  specs: readonly FieldSpec[]
): void {
  const isSecret = (field: string) =>
    specs.some(spec => spec.name === field && spec.kind === 'secret')
  const shown = Object.entries(typed).filter(([field]) => !isSecret(field))
  saveDraft(name, { ...draft, typed: Object.fromEntries(shown) })
}

/** False if another form has stored a newer draft of the record. */
export function isLatestDraft(name: RecordDraft, at: number): boolean {
  return readTime(name) <= at
}

function readTime(name: RecordDraft) {
  return Number(readDraft<{ at: number }>(name)?.at ?? 0)
}

/** Until the reply, the draft of a new record is not offered to the next form. */
export async function whileSending(name: string, send: () => Promise<void>): Promise<void> {
  sending.add(name)
  await send().finally(() => sending.delete(name))
}

function restoreDraft<Item>(
  name: RecordDraft,
  item: Item | undefined,
  initial: Typed
): Draft<Item> | undefined {
  const { original, typed: stored, key, at = 0 } = readDraft<Draft<Item>>(name) ?? {}
  if (typeof stored !== 'object') return undefined
  const typed = { ...initial, ...stored }
  const types = Object.fromEntries(
    Object.entries(initial).map(([field, value]) => [field, typeof value])
  )
  const isBased = item === undefined || hasTypes(original, { version: 'number' })
  if (!isBased || !hasTypes(typed, types)) return undefined
  return {
    original: item && (original as Item),
    typed,
    ...(typeof key === 'string' && { key }),
    at: Number(at)
  }
}
