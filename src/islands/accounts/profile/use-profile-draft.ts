import { useState } from 'react'
import { saveDraft, readDraft } from '#lib/stores/drafts.ts'
import type { ProfileValues } from './profile-values.ts'

interface Draft {
  userId: string
  values: Partial<ProfileValues>
  editing: boolean
}

/** Unsaved input. It survives Cancel, a reload and an expired session; after the last two the form is open again. */
export function useProfileDraft(userId: string) {
  const [{ values, editing }, setDraft] = useState(() => restored(userId))

  const set = (draft: Pick<Draft, 'values' | 'editing'>) => {
    setDraft(draft)
    saveDraft('profile', Object.keys(draft.values).length > 0 ? { userId, ...draft } : undefined)
  }
  return {
    draft: values,
    editing,
    edit: () => set({ values, editing: true }),
    /** Does not update the state: the fields are uncontrolled. */
    save: (typed: ProfileValues) => saveDraft('profile', { userId, values: typed, editing: true } satisfies Draft),
    cancel: (typed: ProfileValues) => set({ values: typed, editing: false }),
    clear: () => set({ values: {}, editing: false })
  }
}

function restored(userId: string): Pick<Draft, 'values' | 'editing'> {
  const stored = readDraft<Draft>('profile')
  if (stored?.userId !== userId || typeof stored.values !== 'object' || stored.values === null)
    return { values: {}, editing: false }
  const texts = Object.entries(stored.values).filter(([, value]) => typeof value === 'string')
  return { values: Object.fromEntries(texts), editing: stored.editing === true }
}
