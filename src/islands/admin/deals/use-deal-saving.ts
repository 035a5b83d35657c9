import { DEAL_LABELS, toDealTerms, formatDealField, type DealTerms } from '#lib/admin/deal-form.ts'
import { findEditedFields } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { changeDeal, readDeal } from '#lib/stores/admin/deals.ts'
import { useSaving, type SaveRules } from '../ui/use-saving.ts'

const SAVE_RULES: Omit<SaveRules<AdminDeal, DealTerms>, 'savedMessage'> = {
  getFields: toDealTerms,
  read: ({ id }) => readDeal(id),
  save: (original, latest, fields) => {
    const edits = findEditedFields(toDealTerms(original), fields).map(name => [name, fields[name]])
    return changeDeal(latest, { ...toDealTerms(latest), ...Object.fromEntries(edits), version: latest.version })
  },
  toDifference: (name, mine, theirs) => ({
    label: DEAL_LABELS[name],
    mine: formatDealField(name, mine[name]),
    theirs: formatDealField(name, theirs[name])
  })
}

export function useDealSaving(original: AdminDeal) {
  return useSaving(original, {
    ...SAVE_RULES,
    savedMessage: () => ({ title: original.name, text: ADMIN_MESSAGES.saved })
  })
}
