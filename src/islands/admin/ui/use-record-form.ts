import { type SubmitEvent, useRef, useState } from 'react'
import {
  type FieldChoices,
  findConflictingFields,
  listFieldNames,
  pickEdits,
  readTyped
} from '#lib/admin/field-values.ts'
import type { FieldSpec, RecordForm, Typed } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { createUuid, hasTypes, readDraft, type RecordDraft, saveDraft } from '#lib/browser.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { type Notice, notify } from '#lib/stores/toasts.ts'
import { pushQuery } from '../../ui/history.ts'
import { useForm } from '../../ui/use-form.ts'
import type { UploadState } from './PictureDrop.tsx'

const NO_CHOICES: FieldChoices = { category: [], product: [] }

export function toChoices(categories: readonly { name: string; label: string }[]): FieldChoices {
  return { ...NO_CHOICES, category: categories.map(({ name, label }) => [name, label]) }
}

export interface OpenRecord<Item> {
  draftName: RecordDraft
  item: Item | undefined
  read: (item: Item) => Promise<Item>
  /** Shows a new form: with the saved values, or with `theirs` after an edit conflict. */
  onReset: (theirs?: Item) => void
}

interface FormRules<Item, Fields extends object> extends OpenRecord<Item> {
  form: RecordForm<Item, Fields>
  empty?: Typed
  choices?: FieldChoices
  prefix?: string
  create?: (fields: Fields, key: string, typed: Typed) => Promise<void>
  save: (latest: Item, edits: Partial<Fields>) => Promise<unknown>
  isUnsaved?: boolean
  savedMessage: (fields: Fields, original: Item) => Notice
  errorTitle?: string
  fieldForError?: (error: ShopError) => string | undefined
  onClose?: () => void
}

interface Difference {
  label: string
  mine: string
  theirs: string
}

interface Conflict<Item, Fields> {
  latest: Item
  theirs: Partial<Fields>
  differences: readonly Difference[]
}

export function useRecordForm<Item extends { version: number }, Fields extends object>(
  rules: FormRules<Item, Fields>
) {
  const { form: record, draftName, item, prefix = '', choices = NO_CHOICES } = rules
  const { errorTitle = ADMIN_MESSAGES.saveFailed, onClose = () => pushQuery('') } = rules
  const [{ original, key, isRestored, ...draft }] = useState(() => {
    const typed = item ? record.toTyped(item) : (rules.empty ?? {})
    const restored = restoreDraft(draftName, item, typed)
    const started: Draft<Item> = { original: item, typed, key: createUuid() }
    return { ...(restored ?? started), isRestored: restored !== undefined }
  })
  const before = original && record.toFields(original)
  const [typed, setTyped] = useState(draft.typed)
  const latest = useRef(typed)
  const refused = useRef<{ errors: FieldErrors; typed: Typed }>(undefined)
  const [upload, setUpload] = useState<UploadState>('none')
  const addsAnother = useRef(false)
  const [conflict, setConflict] = useState<Conflict<Item, Fields>>()

  const parse = (): Fields => record.parse(latest.current, before)
  const editsOf = (fields: Fields): Partial<Fields> =>
    pickEdits<Partial<Fields>>(before ?? {}, fields)
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
    const { errors = {}, typed: sent = {} } = refused.current ?? {}
    const isUnchanged = (name: string): boolean => {
      const [old, current] = [sent, latest.current].map(values =>
        JSON.stringify(readTyped(values, name.slice(prefix.length)))
      )
      return old === current
    }
    const unchanged = Object.entries(errors).filter(([name]) => isUnchanged(name))
    return { ...Object.fromEntries(unchanged), ...record.check?.(parse(), latest.current) }
  }

  const save = async (based: Item, fields: Fields, isLastAttempt = false): Promise<void> => {
    try {
      await rules.save(based, editsOf(fields))
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'EDIT_CONFLICT') throw error
      const current = await rules.read(based)
      const theirs = record.toFields(current)
      const names = findConflictingFields<Partial<Fields>>(before ?? {}, theirs, fields)
      // No edited field has a conflict, so the edits can be saved on top of the current version.
      if (names.length === 0 && !isLastAttempt) return save(current, fields, true)
      const differences = names.map(String).map(name => {
        const [mine, other] = [fields, theirs].map(values => (values as Typed)[name])
        return {
          label: record.labels[name] ?? name,
          mine: record.format(name, mine, other),
          theirs: record.format(name, other, mine)
        }
      })
      const conflicting = Object.fromEntries(names.map(name => [name, theirs[name]]))
      return setConflict({ latest: current, theirs: conflicting as Partial<Fields>, differences })
    }
    notify(rules.savedMessage(fields, original ?? based))
    close()
  }
  const send = async (): Promise<void> => {
    const fields = parse()
    try {
      if (!original) {
        await rules.create?.(fields, key, latest.current)
        if (addsAnother.current && form.ref.current) reset()
        else close()
      } else if (rules.isUnsaved || Object.keys(editsOf(fields)).length > 0) {
        await save(original, fields)
      } else {
        notify({ title: 'No changes to save.' })
        close()
      }
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
    if (!conflict || showProblems(check())) return
    void run(() => save(conflict.latest, fields, true))
  }
  const takeTheirs = (): void => {
    const { theirs = {} } = conflict ?? {}
    const fields = parse()
    const hasOtherEdits = Object.keys(editsOf(fields)).some(name => !Object.hasOwn(theirs, name))
    if (hasOtherEdits) resolve({ ...fields, ...theirs })
    else reset(conflict?.latest)
  }
  const fill = (changes: Typed) => {
    latest.current = { ...latest.current, ...changes }
    setTyped(latest.current)
    saveDraft(draftName, { original, typed: withoutSecrets(record.specs, latest.current), key })
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
      onSubmit: (event: SubmitEvent) => {
        refused.current = undefined
        addsAnother.current = event.nativeEvent.submitter?.dataset['another'] === ''
        form.onSubmit(event)
      }
    },
    busy,
    failure,
    close,
    upload,
    setUpload,
    isRestored,
    discardDraft: () => reset(),
    differences: conflict?.differences,
    takeTheirs,
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

/** The browser stores drafts. */
function withoutSecrets(specs: readonly FieldSpec[], typed: Typed): Typed {
  const secrets = specs.filter(({ kind }) => kind === 'secret').map(({ name }) => [name, ''])
  return { ...typed, ...Object.fromEntries(secrets) }
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
