import { useState } from 'react'
import { keepDraft, readDraft } from '#lib/stores/drafts.ts'
import type { ProfileValues } from './profile-values.ts'

interface Draft {
  /** Whose it is. */
  userId: string
  values: Partial<ProfileValues>
  editing: boolean
}

/**
 * What was typed into the profile's form and not saved. Cancel leaves it for the next Edit; it also outlives a reload and a
 * session that ended meanwhile, and then the form is open again.
 */
export function useProfileDraft(userId: string) {
  const [{ values, editing }, setDraft] = useState(() => restored(userId))

  const set = (draft: Pick<Draft, 'values' | 'editing'>) => {
    setDraft(draft)
    keepDraft('profile', Object.keys(draft.values).length > 0 ? { userId, ...draft } : undefined)
  }
  return {
    draft: values,
    editing,
    edit: () => set({ values, editing: true }),
    /** Without showing it: the fields have it already. */
    keep: (typed: ProfileValues) => keepDraft('profile', { userId, values: typed, editing: true } satisfies Draft),
    cancel: (typed: ProfileValues) => set({ values: typed, editing: false }),
    saved: () => set({ values: {}, editing: false })
  }
}

function restored(userId: string): Pick<Draft, 'values' | 'editing'> {
  const kept = readDraft<Draft>('profile')
  if (kept?.userId !== userId || typeof kept.values !== 'object' || kept.values === null)
    return { values: {}, editing: false }
  const texts = Object.entries(kept.values).filter(([, value]) => typeof value === 'string')
  return { values: Object.fromEntries(texts), editing: kept.editing === true }
}
