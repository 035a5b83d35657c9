import { DEAL_FORM_FIELDS, type DealValues } from '#lib/admin/deal-form.ts'
import { keepDraft, readDraft } from '#lib/stores/drafts.ts'

interface Kept {
  /** Of the deal; empty for a new one. */
  id: string
  values: DealValues
}

/** What was typed into the form of a deal and not saved; it outlives a reload and a session that ended. */
export function useDealDraft(id: string) {
  return {
    before: (): DealValues | undefined => {
      const kept = readDraft<Kept>('deal')
      return kept?.id === id && isValues(kept.values) ? kept.values : undefined
    },
    type: (values: DealValues) => keepDraft('deal', { id, values }),
    drop: () => keepDraft('deal', undefined)
  }
}

function isValues(values: unknown): values is DealValues {
  const texts = (values ?? {}) as Record<string, unknown>
  return DEAL_FORM_FIELDS.every(name => typeof texts[name] === 'string')
}
