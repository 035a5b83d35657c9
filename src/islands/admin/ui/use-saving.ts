import { useState } from 'react'
import { conflictingFields, editedFields } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError } from '#lib/shop-error.ts'
import { notify } from '#lib/stores/toasts.ts'
import type { Difference } from './ConflictNotice.tsx'

/** How a kind of thing is saved that several people may change. */
export interface Saving<Thing, Typed extends object> {
  /** The thing as its form would send it. */
  fieldsOf: (thing: Thing) => Typed
  /** Throws ShopError. */
  read: (thing: Thing) => Promise<Thing>
  /** Makes of `now` what was typed over `start`. Throws ShopError. */
  change: (start: Thing, now: Thing, typed: Typed) => Promise<unknown>
  /** How the two sides of a conflict are told. */
  differenceIn: (name: keyof Typed, mine: Typed, theirs: Typed) => Difference
  /** Told when it is saved. */
  saved: (typed: Typed) => { title: string; text: string }
}

/** Somebody else was faster, in the same fields. */
interface Conflict<Thing, Typed> {
  /** As the shop has it now. */
  now: Thing
  typed: Typed
  differences: readonly Difference[]
}

/** Sends what was typed over `start`, a thing as the form began with it; nothing for a new one. */
export function useSaving<Thing, Typed extends object>(start: Thing | undefined, rules: Saving<Thing, Typed>) {
  const [conflict, setConflict] = useState<Conflict<Thing, Typed>>()
  const { fieldsOf, read, differenceIn, saved } = rules

  /** Throws ShopError. */
  async function change(thing: Thing, now: Thing, typed: Typed, isLast = false): Promise<boolean> {
    try {
      await rules.change(thing, now, typed)
      setConflict(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'EDIT_CONFLICT') throw error
      const fresh = await read(thing)
      const theirs = fieldsOf(fresh)
      const names = conflictingFields(fieldsOf(thing), theirs, typed)
      // What somebody else has changed and nobody has typed here stays as they made it.
      if (names.length === 0 && !isLast) return change(thing, fresh, typed, true)
      setConflict({ now: fresh, typed, differences: names.map(name => differenceIn(name, typed, theirs)) })
      return false
    }
  }

  return {
    conflict,
    /** Answers whether it is done; a conflict is shown instead. Throws ShopError. */
    save: async (typed: Typed): Promise<boolean> => {
      if (!start) return false
      if (editedFields(fieldsOf(start), typed).length === 0) {
        notify({ title: ADMIN_MESSAGES.nothingToSave })
        return true
      }
      if (!(await change(start, start, typed))) return false
      notify(saved(typed))
      return true
    },
    /** Puts what was typed over what somebody else has saved. Throws ShopError. */
    overrule: async (): Promise<boolean> => {
      if (!start || !conflict || !(await change(start, conflict.now, conflict.typed, true))) return false
      notify(saved(conflict.typed))
      return true
    }
  }
}
