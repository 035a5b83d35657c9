import { type SubmitEvent, useRef, useState } from 'react'
import {
  type FieldChoices,
  findConflictingFields,
  listFieldNames,
  pickEdits,
  readTyped
} from '#lib/admin/field-values.ts'
import { isLatestDraft, openDraft, storeDraft, whileSending } from '#lib/stores/admin/drafts.ts'
import type { RecordForm, Typed } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { createUuid } from '#lib/browser.ts'
import { t } from '#lib/contract/texts.ts'
import { type FieldErrors, ShopError, toErrorText } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { type RecordDraft, saveDraft } from '#lib/stores/storage.ts'
import { notify } from '#lib/stores/toasts.ts'
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
  /** For notices. */
  name: (fields: Fields) => string
  savedText?: (fields: Fields) => string
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
  /** The fields with a conflict, without their edits. */
  unedited: Partial<Fields>
  differences: readonly Difference[]
}

export function useRecordForm<Item extends { version: number }, Fields extends object>(
  rules: FormRules<Item, Fields>
) {
  const { form: record, draftName, item, prefix = '', choices = NO_CHOICES } = rules
  const { errorTitle = ADMIN_MESSAGES.saveFailed, onClose = () => pushQuery('') } = rules
  const [draft] = useState(() =>
    openDraft(draftName, item, item ? record.toTyped(item) : (rules.empty ?? {}))
  )
  const { original, name: storedAs, isRestored } = draft
  const stored = useRef(draft.at)
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
  const sentKey = useRef(draft.key)
  const store = () => {
    stored.current = Date.now()
    const sent = sentKey.current !== undefined && { key: sentKey.current }
    const unsaved = { original, typed: latest.current, at: stored.current, ...sent }
    storeDraft(storedAs, unsaved, record.specs)
  }
  /** The user may have left the form before the reply came. */
  const isOpen = () => form.ref.current !== null
  const isClosed = useRef(false)
  const dropDraft = () => {
    isClosed.current = true
    if (isLatestDraft(storedAs, stored.current)) saveDraft(storedAs, undefined)
  }
  const close = () => {
    dropDraft()
    if (isOpen()) onClose()
  }
  const reset = (theirs?: Item) => {
    dropDraft()
    rules.onReset(theirs)
  }

  /** An error of the server stays until its field is changed. */
  const check = (): FieldErrors => {
    const { errors = {}, typed: sent = {} } = refused.current ?? {}
    const isUnchanged = (name: string) => {
      const [old, current] = [sent, latest.current].map(values =>
        JSON.stringify(readTyped(values, name.slice(prefix.length)))
      )
      return old === current
    }
    const unchanged = Object.entries(errors).filter(([name]) => isUnchanged(name))
    return { ...Object.fromEntries(unchanged), ...record.check?.(parse(), latest.current) }
  }

  const save = async (based: Item, fields: Fields, isLastAttempt = false) => {
    try {
      await rules.save(based, editsOf(fields))
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'EDIT_CONFLICT') throw error
      const current = await rules.read(based)
      const theirs = record.toFields(current)
      const names = findConflictingFields<Partial<Fields>>(before ?? {}, theirs, fields)
      // No edited field has a conflict, so the edits can be saved on top of the current version.
      if (names.length === 0 && !isLastAttempt) return save(current, fields, true)
      if (!isOpen()) throw error
      const differences = names.map(String).map(name => {
        const [mine, other] = [fields, theirs].map(values => (values as Typed)[name])
        return {
          label: t(record.labels[name] ?? name),
          mine: record.format(name, mine, other),
          theirs: record.format(name, other, mine)
        }
      })
      const unedited = Object.fromEntries(names.map(name => [name, before?.[name]]))
      return setConflict({ latest: current, unedited: unedited as Partial<Fields>, differences })
    }
    const { savedText = () => ADMIN_MESSAGES.saved } = rules
    const saved = { ...record.toFields(based), ...editsOf(fields) }
    notify({ title: rules.name(saved), text: savedText(saved) })
    close()
  }
  const send = async () => {
    const fields = parse()
    try {
      if (!original) {
        const key = (sentKey.current ??= createUuid())
        store()
        await whileSending(storedAs, async () => rules.create?.(fields, key, latest.current))
        if (addsAnother.current && isOpen()) reset()
        else close()
      } else if (rules.isUnsaved || Object.keys(editsOf(fields)).length > 0) {
        await save(original, fields)
      } else {
        notify({ title: t('No changes to save.') })
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
    onMissed: error => tellMissed(toErrorText(error, MESSAGES.tryAgain)),
    ...(rules.fieldForError && { fieldForError: rules.fieldForError })
  })
  const { onInput: recheck } = form
  const tellMissed = (reason: string) => {
    if (isClosed.current) return
    if (isLatestDraft(storedAs, stored.current)) store()
    const title = ADMIN_MESSAGES.notSaved(rules.name(parse()))
    notify({
      title,
      text: `${reason} ${t('What you typed is kept. Open it again to finish.')}`,
      kind: 'destructive'
    })
  }

  const resolve = (fields: Fields) => {
    if (!conflict || showProblems(check())) return
    void run(() => save(conflict.latest, fields, true))
  }
  const takeTheirs = () => {
    const fields = { ...parse(), ...conflict?.unedited }
    if (Object.keys(editsOf(fields)).length > 0) resolve(fields)
    else reset(conflict?.latest)
  }
  const fill = (changes: Typed) => {
    // A picture that arrives after the form was left goes into its draft.
    if (!isOpen() && (isClosed.current || !isLatestDraft(storedAs, stored.current))) return
    latest.current = { ...latest.current, ...changes }
    setTyped(latest.current)
    isClosed.current = false
    store()
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
    tellMissed,
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
