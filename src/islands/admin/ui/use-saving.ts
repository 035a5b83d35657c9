import { useState } from 'react'
import { findConflictingFields, pickEdits } from '#lib/admin/form.ts'
import { ShopError } from '#lib/errors.ts'
import { notify, type Notice } from '#lib/stores/toasts.ts'
import type { Difference } from './RecordForm.tsx'

const texts = { nothingToSave: 'No changes to save.' }

/** How to save one type of record, and how to show the differences after an edit conflict. */
export interface SaveRules<Item, Fields extends object> {
  getFields: (item: Item) => Fields
  read: (item: Item) => Promise<Item>
  /** Saves the edited fields on top of `latest`. Throws ShopError. */
  save: (latest: Item, edits: Partial<Fields>) => Promise<unknown>
  /** True if there is something to save even without an edit. */
  isUnsaved?: boolean
  labels: Readonly<Record<keyof Fields, string>>
  /** `other` is the same field in the version to compare with. */
  format: (name: keyof Fields, value: unknown, other: unknown) => string
  savedMessage: (fields: Fields, original: Item) => Notice
}

interface Conflict<Item, Fields> {
  latest: Item
  /** The values of the other person in the fields that both have changed. */
  theirs: Partial<Fields>
  differences: readonly Difference[]
}

export function useSaving<Item, Fields extends object>(
  original: Item | undefined,
  rules: SaveRules<Item, Fields>
) {
  const [conflict, setConflict] = useState<Conflict<Item, Fields>>()
  const { getFields, read, labels, format, savedMessage } = rules

  async function saveEdits(latest: Item, fields: Fields, isLastAttempt = false): Promise<boolean> {
    if (!original) return false
    try {
      await rules.save(latest, pickEdits(getFields(original), fields))
      setConflict(undefined)
      notify(savedMessage(fields, original))
      return true
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'EDIT_CONFLICT') throw error
      const current = await read(original)
      const theirs = getFields(current)
      const names = findConflictingFields(getFields(original), theirs, fields)
      // No edited field has a conflict, so the edits can be saved on top of the current version.
      if (names.length === 0 && !isLastAttempt) return saveEdits(current, fields, true)
      const differences = names.map(name => ({
        label: labels[name],
        mine: format(name, fields[name], theirs[name]),
        theirs: format(name, theirs[name], fields[name])
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
      if (!rules.isUnsaved && Object.keys(pickEdits(getFields(original), fields)).length === 0) {
        notify({ title: texts.nothingToSave })
        return true
      }
      return saveEdits(original, fields)
    },
    /** Overwrites the other person's changes. Throws ShopError. */
    overwrite: async (fields: Fields): Promise<boolean> =>
      conflict !== undefined && (await saveEdits(conflict.latest, fields, true)),
    /** Replaces the edits of fields that another person has changed, too. */
    withTheirs: (fields: Fields): Fields => ({ ...fields, ...conflict?.theirs }),
    /** True if there are edits of fields that nobody else has changed. */
    hasOtherEdits: (fields: Fields): boolean =>
      original !== undefined &&
      Object.keys(pickEdits(getFields(original), fields)).some(
        name => !Object.hasOwn(conflict?.theirs ?? {}, name)
      )
  }
}
