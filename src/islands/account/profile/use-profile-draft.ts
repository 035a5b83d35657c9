import { useState } from 'react'
import { saveDraft, readDraft } from '#lib/stores/drafts.ts'
import type { ProfileValues } from './profile-values.ts'

interface Draft {
  userId: string
  values: Partial<ProfileValues>
  editing: boolean
}

/** Stores unsaved input, so that Cancel or a reload does not delete it. After a reload, an open form opens again. */
export function useProfileDraft(userId: string) {
  const [{ values, editing }, setDraft] = useState(() => restoreDraft(userId))

  const setAndSave = (draft: Pick<Draft, 'values' | 'editing'>) => {
    setDraft(draft)
    saveDraft('profile', Object.keys(draft.values).length > 0 ? { userId, ...draft } : undefined)
  }
  return {
    draft: values,
    editing,
    edit: () => setAndSave({ values, editing: true }),
    /** Does not update the React state, because the fields are uncontrolled. */
    save: (typed: ProfileValues) => saveDraft('profile', { userId, values: typed, editing: true } satisfies Draft),
    cancel: (typed: ProfileValues) => setAndSave({ values: typed, editing: false }),
    clear: () => setAndSave({ values: {}, editing: false })
  }
}

function restoreDraft(userId: string): Pick<Draft, 'values' | 'editing'> {
  const stored = readDraft<Draft>('profile')
  if (stored?.userId !== userId || typeof stored.values !== 'object' || stored.values === null)
    return { values: {}, editing: false }
  const texts = Object.entries(stored.values).filter(([, value]) => typeof value === 'string')
  return { values: Object.fromEntries(texts), editing: stored.editing === true }
}
