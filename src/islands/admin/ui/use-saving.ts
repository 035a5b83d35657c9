import { useState } from 'react'
import { conflictingFields, editedFields } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError } from '#lib/shop-error.ts'
import { notify } from '#lib/stores/toasts.ts'
import type { Difference } from './ConflictNotice.tsx'

/** How to save a record that several people may edit. */
export interface Saving<Item, Typed extends object> {
  fieldsOf: (item: Item) => Typed
  read: (item: Item) => Promise<Item>
  /** Applies the edits made since `start` to version `now`. Throws ShopError. */
  change: (start: Item, now: Item, typed: Typed) => Promise<unknown>
  differenceIn: (name: keyof Typed, mine: Typed, theirs: Typed) => Difference
  savedMessage: (typed: Typed) => { title: string; text: string }
}

interface Conflict<Item, Typed> {
  now: Item
  typed: Typed
  differences: readonly Difference[]
}

/** `start` is the record that was edited, undefined for a new one. */
export function useSaving<Item, Typed extends object>(start: Item | undefined, rules: Saving<Item, Typed>) {
  const [conflict, setConflict] = useState<Conflict<Item, Typed>>()
  const { fieldsOf, read, differenceIn, savedMessage } = rules

  async function change(item: Item, now: Item, typed: Typed, isLast = false): Promise<boolean> {
    try {
      await rules.change(item, now, typed)
      setConflict(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'EDIT_CONFLICT') throw error
      const fresh = await read(item)
      const theirs = fieldsOf(fresh)
      const names = conflictingFields(fieldsOf(item), theirs, typed)
      // No field was changed by both: merge, and try once more.
      if (names.length === 0 && !isLast) return change(item, fresh, typed, true)
      setConflict({ now: fresh, typed, differences: names.map(name => differenceIn(name, typed, theirs)) })
      return false
    }
  }

  return {
    conflict,
    /** Returns false on a conflict. Throws ShopError. */
    save: async (typed: Typed): Promise<boolean> => {
      if (!start) return false
      if (editedFields(fieldsOf(start), typed).length === 0) {
        notify({ title: ADMIN_MESSAGES.nothingToSave })
        return true
      }
      if (!(await change(start, start, typed))) return false
      notify(savedMessage(typed))
      return true
    },
    /** Overwrites the other person's changes. Throws ShopError. */
    overwrite: async (): Promise<boolean> => {
      if (!start || !conflict || !(await change(start, conflict.now, conflict.typed, true))) return false
      notify(savedMessage(conflict.typed))
      return true
    }
  }
}
