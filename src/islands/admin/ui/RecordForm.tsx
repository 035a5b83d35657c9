import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Problems } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { RecordKind } from '#lib/browser.ts'
import type { ShopError } from '#lib/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { pushQuery } from '../../ui/history.ts'
import { fillFields, useForm } from '../../ui/use-form.ts'
import { useFormDraft } from './form-draft.ts'
import { type SaveRules, useSaving } from './use-saving.ts'

interface RecordFormRules<Item, Fields extends object, Name extends string> {
  kind: RecordKind
  /** Id of the record, or a placeholder if the record is new. */
  id: string
  /** Undefined for a new record. */
  original: Item | undefined
  names: readonly Name[]
  getInitial: () => Record<Name, string>
  check: (values: Record<Name, string>) => Problems<Name>
  parse: (values: Record<Name, string>) => Fields
  /** `key` is the idempotency key. */
  create?: (fields: Fields, key: string, values: Record<Name, string>) => Promise<void>
  saveRules: SaveRules<Item, Fields>
  errorTitle?: string
  fieldForError?: (error: ShopError) => Name | undefined
  /** Shows a new form: with the saved values, or with `theirs` after an edit conflict. */
  onReset: (theirs?: Item) => void
}

/**
 * A form that keeps a draft, saves a record, resolves edit conflicts and then shows the list again.
 */
export function useRecordForm<Item, Fields extends object, Name extends string>({
  names,
  saveRules,
  errorTitle = ADMIN_MESSAGES.saveFailed,
  ...rules
}: RecordFormRules<Item, Fields, Name>) {
  const draft = useFormDraft<Name, Item>(rules.kind, rules.id, names, rules.original)
  const { original } = draft
  const [initial] = useState(() => draft.values ?? rules.getInitial())
  // The form fields are uncontrolled, so parts that show their values need a copy of them in React
  // state.
  const [formValues, setFormValues] = useState(initial)
  const { conflict, save, overwrite, withTheirs, hasOtherEdits } = useSaving(original, saveRules)
  const close = () => {
    draft.discard()
    // The user may have left the form before the reply came. Then another page is open and must
    // stay open.
    if (form.ref.current) pushQuery('')
  }
  const reset = (theirs?: Item) => {
    draft.discard()
    rules.onReset(theirs)
  }
  const { form, run, values, ...state } = useForm<Name>({
    names,
    initial,
    check: rules.check,
    send: async typed => {
      const fields = rules.parse(typed)
      if (!original) await rules.create?.(fields, draft.key, typed)
      else if (!(await save(fields))) return
      close()
    },
    errorText: { title: errorTitle, fallback: ADMIN_MESSAGES.tryAgain },
    ...(rules.fieldForError && { fieldForError: rules.fieldForError })
  })
  const resolve = (choose: (fields: Fields) => Fields) => {
    const typed = values()
    if (!state.showProblems(rules.check(typed)))
      void run(async () => void ((await overwrite(choose(rules.parse(typed)))) && close()))
  }
  const onInput = () => {
    form.onInput()
    setFormValues(values())
    draft.saveValues(values())
  }
  return {
    ...state,
    draft,
    form: { ...form, autoComplete: 'off', onInput },
    formValues,
    values,
    fill: (changes: Partial<Record<Name, string>>) => {
      fillFields(form.ref.current, changes)
      onInput()
    },
    close,
    isRestored: draft.isRestored,
    discardDraft: () => reset(),
    differences: conflict?.differences,
    takeTheirs: () =>
      hasOtherEdits(rules.parse(values())) ? resolve(withTheirs) : reset(conflict?.latest),
    keepMine: () => resolve(fields => fields)
  }
}

type RecordFormState = Omit<
  ReturnType<typeof useRecordForm>,
  'draft' | 'field' | 'fill' | 'showProblems' | 'formValues' | 'values'
>

interface RecordFormProps {
  label: string
  form: RecordFormState
  saveLabel: string
  /** If set, the form can't be saved yet and the button shows this text. */
  waitingLabel?: string | false
  children: ReactNode
}

export function RecordForm({
  label,
  form: record,
  saveLabel,
  waitingLabel = false,
  children
}: RecordFormProps) {
  const { form, busy, failure, differences, takeTheirs, keepMine, close } = record
  return (
    <form
      {...form}
      aria-label={label}
      onSubmit={event => {
        if (waitingLabel) event.preventDefault()
        else form.onSubmit(event)
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      <DraftNotice form={record} />
      {differences && (
        <ConflictNotice differences={differences} onUseTheirs={takeTheirs} onKeepMine={keepMine} />
      )}
      <fieldset disabled={busy} className="contents">
        {children}
      </fieldset>
      {/* The bar stays at the bottom of the window: over <shop-status>, but above the undo bar if that is shown. */}
      <div
        data-save-bar
        className="sticky bottom-0 z-[31] -mx-4 grid gap-3 border-t border-brass/40 bg-cream px-4 py-3 [body:has([data-undo])_&]:bottom-20"
      >
        <Failure failure={failure} busy={busy} />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            look="primary"
            label={busy ? 'Saving…' : waitingLabel || saveLabel}
            busy={busy || waitingLabel !== false}
          />
          <Button label="Cancel" onClick={close} />
        </div>
      </div>
    </form>
  )
}

export function DraftNotice({
  form
}: {
  form: Pick<RecordFormState, 'isRestored' | 'discardDraft'>
}) {
  if (!form.isRestored) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 rounded-card bg-cream-deep px-4 py-2"
    >
      {ADMIN_MESSAGES.draftRestored}
      <Button look="link" label="Discard draft" onClick={form.discardDraft} />
    </div>
  )
}

export interface Difference {
  label: string
  mine: string
  theirs: string
}

interface ConflictNoticeProps {
  differences: readonly Difference[]
  onUseTheirs: () => void
  onKeepMine: () => void
}

function ConflictNotice({ differences, onUseTheirs, onKeepMine }: ConflictNoticeProps) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="alert" className="grid gap-3 rounded-card border-2 border-chilli p-4">
      <p ref={heading} tabIndex={-1} className="font-semibold text-chilli outline-none">
        {ADMIN_MESSAGES.changedByOthers}
      </p>
      <dl className="grid gap-2">
        {differences.map(({ label, mine, theirs }) => (
          <div key={label} className="grid gap-x-4 sm:grid-cols-[8rem_1fr_1fr]">
            <dt className="font-semibold">{label}</dt>
            <dd className="min-w-0 break-words">
              <span className="text-ink/70">Yours:</span> {mine || 'empty'}
            </dd>
            <dd className="min-w-0 break-words">
              <span className="text-ink/70">Theirs:</span> {theirs || 'empty'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-3">
        <Button label="Use their version" onClick={onUseTheirs} />
        <Button label="Keep mine" onClick={onKeepMine} />
      </div>
    </div>
  )
}
