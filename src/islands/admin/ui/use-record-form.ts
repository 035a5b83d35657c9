import { useRef, useState } from 'react'
import {
  type FieldChoices,
  listFieldNames,
  readTyped,
  findConflictingFields,
  pickEdits
} from '#lib/admin/field-values.ts'
import type { RecordForm, Typed } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { createUuid, hasTypes, readDraft, type RecordDraft, saveDraft } from '#lib/browser.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { type Notice, notify } from '#lib/stores/toasts.ts'
import { pushQuery } from '../../ui/history.ts'
import { type FieldState, useForm } from '../../ui/use-form.ts'

export interface FormContext {
  field: (path: string) => FieldState
  choices: FieldChoices
}

const NO_CHOICES: FieldChoices = { category: [], product: [] }

export function toChoices(categories: readonly { name: string; label: string }[]): FieldChoices {
  return { ...NO_CHOICES, category: categories.map(({ name, label }) => [name, label]) }
}

interface FormRules<Item extends { version: number }, Fields extends object> extends SaveRules<
  Item,
  Fields
> {
  form: RecordForm<Item, Fields>
  draftName: RecordDraft
  item: Item | undefined
  /** What the form of a new record holds at first. */
  empty?: Typed
  choices?: FieldChoices
  prefix?: string
  create?: (fields: Fields, key: string, typed: Typed) => Promise<void>
  errorTitle?: string
  fieldForError?: (error: ShopError) => string | undefined
  /** Shows a new form: with the saved values, or with `theirs` after an edit conflict. */
  onReset: (theirs?: Item) => void
  onClose?: () => void
}

export function useRecordForm<Item extends { version: number }, Fields extends object>(
  rules: FormRules<Item, Fields>
) {
  const { form: record, draftName, item, prefix = '', choices = NO_CHOICES } = rules
  const { errorTitle = ADMIN_MESSAGES.saveFailed, onClose = () => pushQuery('') } = rules
  const [{ isRestored, ...draft }] = useState(() => {
    const typed = item ? record.toTyped(item) : (rules.empty ?? {})
    const restored = restoreDraft(draftName, item, typed)
    const started: Draft<Item> = { original: item, typed, key: createUuid() }
    return { ...(restored ?? started), isRestored: restored !== undefined }
  })
  const { original } = draft
  const [typed, setTyped] = useState(draft.typed)
  const latest = useRef(typed)
  const refused = useRef<{ errors: FieldErrors; typed: Typed }>(undefined)
  const { conflict, save, overwrite, withTheirs, hasOtherEdits } = useSaving(original, rules)

  const parse = (): Fields => record.parse(latest.current, original && record.toFields(original))
  const close = () => {
    saveDraft(draftName, undefined)
    // The user may have left the form before the reply came.
    if (form.ref.current) onClose()
  }
  const reset = (theirs?: Item) => {
    saveDraft(draftName, undefined)
    rules.onReset(theirs)
  }

  /** An error of the server stays until its field is changed. */
  const check = (): FieldErrors => {
    const { errors = {}, typed: before = {} } = refused.current ?? {}
    const isUnchanged = (name: string): boolean => {
      const path = name.slice(prefix.length)
      return (
        JSON.stringify(readTyped(before, path)) === JSON.stringify(readTyped(latest.current, path))
      )
    }
    const unchanged = Object.entries(errors).filter(([name]) => isUnchanged(name))
    return { ...Object.fromEntries(unchanged), ...record.check?.(parse(), latest.current) }
  }
  const send = async (): Promise<void> => {
    try {
      if (!original) await rules.create?.(parse(), draft.key, latest.current)
      else if (!(await save(parse()))) return
      close()
    } catch (error) {
      if (error instanceof ShopError && error.fields)
        refused.current = { errors: error.fields, typed: latest.current }
      throw error
    }
  }
  const { form, run, field, busy, failure, showProblems } = useForm<string>({
    names: listFieldNames(record.specs, typed).map(name => `${prefix}${name}`),
    check,
    send,
    errorText: { title: errorTitle },
    ...(rules.fieldForError && { fieldForError: rules.fieldForError })
  })
  const { onInput: recheck } = form

  const resolve = (fields: Fields): void => {
    if (showProblems(check())) return
    void run(async () => {
      if (await overwrite(fields)) close()
    })
  }
  const fill = (changes: Typed) => {
    latest.current = { ...latest.current, ...changes }
    setTyped(latest.current)
    saveDraft(draftName, { original, typed: latest.current, key: draft.key })
    recheck()
  }

  return {
    typed,
    fill,
    change: (name: string, value: unknown) => fill({ [name]: value }),
    field: (path: string) => field(`${prefix}${path}`),
    choices,
    check,
    form: {
      ...form,
      autoComplete: 'off',
      // `fill` checks again, when it has the new value.
      onInput: () => undefined,
      onSubmit: ((event: Parameters<typeof form.onSubmit>[0]) => {
        refused.current = undefined
        form.onSubmit(event)
      }) as typeof form.onSubmit
    },
    busy,
    failure,
    close,
    isRestored,
    discardDraft: () => reset(),
    differences: conflict?.differences,
    takeTheirs: () => {
      const fields = parse()
      if (hasOtherEdits(fields)) resolve(withTheirs(fields))
      else reset(conflict?.latest)
    },
    keepMine: () => resolve(parse())
  }
}

export type RecordFormState = ReturnType<typeof useRecordForm>

interface Draft<Item> {
  /** The version that the draft is based on, so that a newer one is not overwritten. */
  original: Item | undefined
  typed: Typed
  key: string
}

function restoreDraft<Item>(
  name: RecordDraft,
  item: Item | undefined,
  initial: Typed
): Draft<Item> | undefined {
  const { original, typed, key } = readDraft<Draft<Item>>(name) ?? {}
  const types = Object.fromEntries(
    Object.entries(initial).map(([field, value]) => [field, typeof value])
  )
  const isBased = item === undefined || hasTypes(original, { version: 'number' })
  if (!isBased || !hasTypes(typed, types) || typeof key !== 'string') return undefined
  return { original: item && (original as Item), typed: typed as Typed, key }
}

interface SaveRules<Item, Fields extends object> {
  form: Pick<RecordForm<Item, Fields>, 'toFields' | 'labels' | 'format'>
  read: (item: Item) => Promise<Item>
  save: (latest: Item, edits: Partial<Fields>) => Promise<unknown>
  /** True if there is something to save even without an edit. */
  isUnsaved?: boolean
  savedMessage: (fields: Fields, original: Item) => Notice
}

export interface Difference {
  label: string
  mine: string
  theirs: string
}

interface Conflict<Item, Fields> {
  latest: Item
  /** The values of the other person in the fields that both have changed. */
  theirs: Partial<Fields>
  differences: readonly Difference[]
}

function useSaving<Item, Fields extends object>(
  original: Item | undefined,
  rules: SaveRules<Item, Fields>
) {
  const [conflict, setConflict] = useState<Conflict<Item, Fields>>()
  const { toFields, labels, format } = rules.form

  async function saveEdits(latest: Item, fields: Fields, isLastAttempt = false): Promise<boolean> {
    if (!original) return false
    try {
      await rules.save(latest, pickEdits(toFields(original), fields))
      setConflict(undefined)
      notify(rules.savedMessage(fields, original))
      return true
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'EDIT_CONFLICT') throw error
      const current = await rules.read(original)
      const theirs = toFields(current)
      const names = findConflictingFields(toFields(original), theirs, fields)
      // No edited field has a conflict, so the edits can be saved on top of the current version.
      if (names.length === 0 && !isLastAttempt) return saveEdits(current, fields, true)
      const differences = names.map(name => ({
        label: labels[String(name)] ?? String(name),
        mine: format(String(name), fields[name], theirs[name]),
        theirs: format(String(name), theirs[name], fields[name])
      }))
      const conflicting = Object.fromEntries(
        names.map(name => [name, theirs[name]])
      ) as Partial<Fields>
      setConflict({ latest: current, theirs: conflicting, differences })
      return false
    }
  }

  return {
    conflict,
    /** Returns false if another person has changed the same fields. Throws ShopError. */
    save: async (fields: Fields): Promise<boolean> => {
      if (!original) return false
      if (!rules.isUnsaved && Object.keys(pickEdits(toFields(original), fields)).length === 0) {
        notify({ title: 'No changes to save.' })
        return true
      }
      return saveEdits(original, fields)
    },
    overwrite: async (fields: Fields): Promise<boolean> =>
      conflict !== undefined && (await saveEdits(conflict.latest, fields, true)),
    /** Replaces the edits of fields that another person has changed, too. */
    withTheirs: (fields: Fields): Fields => ({ ...fields, ...conflict?.theirs }),
    /** True if there are edits of fields that nobody else has changed. */
    hasOtherEdits: (fields: Fields): boolean =>
      original !== undefined &&
      Object.keys(pickEdits(toFields(original), fields)).some(
        name => !Object.hasOwn(conflict?.theirs ?? {}, name)
      )
  }
}
