import { useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import {
  formatConflict,
  listFieldNames,
  listSpecs,
  parseTyped,
  readTyped,
  toFieldName,
  toFields,
  toTyped,
  toValue,
  type FieldChoices,
  type Fields
} from '#lib/admin/settings-values.ts'
import { hasTypes, readDraft, saveDraft } from '#lib/browser.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import { ShopError, type FieldErrors } from '#lib/errors.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { readSettings, saveSettings } from '#lib/stores/admin/settings.ts'
import { useForm, type FieldState } from '../../ui/use-form.ts'
import { useSaving } from '../ui/use-saving.ts'

export interface FormContext {
  field: (path: string) => FieldState
  choices: FieldChoices
}

interface SettingsFormRules {
  section: SectionName
  stored: StoredSection
  choices: FieldChoices
  /** Shows a new form. `theirs` is the version of another person that it begins with. */
  onReset: (theirs?: StoredSection) => void
  onClose: () => void
}

/**
 * A form over the values of a section. It keeps a draft, shows the server's field errors and
 * resolves conflicts.
 */
export function useSettingsForm({ section, stored, choices, onReset, onClose }: SettingsFormRules) {
  const spec = SECTION_FORMS[section]
  const [draft] = useState(() => restoreDraft(section, stored))
  const original = draft?.original ?? stored
  const [typed, setTyped] = useState<Fields>(draft?.typed ?? toTyped(original.value))
  const latest = useRef(typed)
  const refused = useRef<{ errors: FieldErrors; typed: Fields }>(undefined)

  const discardDraft = () => saveDraft(`settings ${section}`, undefined)
  const close = () => {
    discardDraft()
    // The user may have left the form before the reply came. Then another page is open and must
    // stay open.
    if (form.ref.current) onClose()
  }
  const closeIf = async (isSaved: Promise<boolean>): Promise<void> => {
    if (await isSaved) close()
  }
  const reset = (theirs?: StoredSection) => {
    discardDraft()
    onReset(theirs)
  }

  const { conflict, save, overwrite, withTheirs, hasOtherEdits } = useSaving<StoredSection, Fields>(
    original,
    {
      getFields: ({ value }) => toFields(value),
      read: () => readSettings(section),
      save: async ({ value, version }, edits) => {
        try {
          await saveSettings(section, toValue({ ...toFields(value), ...edits }), version)
        } catch (error) {
          if (error instanceof ShopError && error.fields)
            refused.current = { errors: error.fields, typed: latest.current }
          throw error
        }
      },
      // Defaults that were never saved can be saved without a change. The server refuses an empty
      // policy.
      isUnsaved: original.version === 0,
      labels: Object.fromEntries(listSpecs(spec).map(({ name, label }) => [name, label])),
      format: (name, value, other) => {
        const field = listSpecs(spec).find(candidate => candidate.name === name)
        return field ? formatConflict(field, { value, other }, choices) : ''
      },
      savedMessage: () => ({
        title: `${spec.title} saved`,
        ...(section !== 'mail' && { text: ADMIN_MESSAGES.websiteUpdates })
      })
    }
  )

  /** The browser checks nothing itself. An error of the server stays until its field is changed. */
  const findRefused = (): FieldErrors => {
    const { errors = {}, typed: before = {} } = refused.current ?? {}
    const isUnchanged = (name: string): boolean =>
      JSON.stringify(readTyped(before, name)) === JSON.stringify(readTyped(latest.current, name))
    return Object.fromEntries(Object.entries(errors).filter(([name]) => isUnchanged(name)))
  }
  const { form, run, field, busy, failure } = useForm<string>({
    names: listFieldNames(spec, typed),
    check: findRefused,
    send: () => closeIf(save(parseTyped(spec, latest.current))),
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain }
  })
  const { onInput: recheck, ...formAttributes } = form

  const resolve = (fields: Fields) => void run(() => closeIf(overwrite(fields)))
  const change = (name: string, value: unknown) => {
    latest.current = { ...latest.current, [name]: value }
    setTyped(latest.current)
    saveDraft(`settings ${section}`, { original, typed: latest.current } satisfies Draft)
    recheck()
  }

  return {
    typed,
    change,
    context: { field: path => field(toFieldName(path)), choices } satisfies FormContext,
    record: {
      form: {
        ...formAttributes,
        autoComplete: 'off',
        // `change` checks again, when it has the new value.
        onInput: () => undefined,
        onSubmit: event => {
          refused.current = undefined
          form.onSubmit(event)
        }
      } satisfies typeof form & { autoComplete: string },
      busy,
      failure,
      run,
      close,
      isRestored: draft !== undefined,
      discardDraft: () => reset(),
      differences: conflict?.differences,
      takeTheirs: () => {
        const fields = parseTyped(spec, latest.current)
        if (hasOtherEdits(fields)) resolve(withTheirs(fields))
        else reset(conflict?.latest)
      },
      keepMine: () => resolve(parseTyped(spec, latest.current))
    }
  }
}

interface Draft {
  /** The version that the draft is based on, so that a newer one is not overwritten. */
  original: StoredSection
  typed: Fields
}

function restoreDraft(section: SectionName, stored: StoredSection): Draft | undefined {
  const { original, typed } = readDraft<Draft>(`settings ${section}`) ?? {}
  const types = Object.entries(toTyped(stored.value)).map(([name, value]) => [name, typeof value])
  const isComplete = hasTypes(original, { value: 'object', version: 'number' })
  if (!isComplete || !hasTypes(typed, Object.fromEntries(types))) return undefined
  return { original: original as StoredSection, typed: typed as Fields }
}
