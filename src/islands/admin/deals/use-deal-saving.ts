import { DEAL_LABELS, dealTerms, formatDealField, type DealTerms } from '#lib/admin/deal-form.ts'
import { editedFields } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { changeDeal, readDeal } from '#lib/stores/admin/deals.ts'
import { useSaving, type Saving } from '../ui/use-saving.ts'

const SAVING: Omit<Saving<AdminDeal, DealTerms>, 'savedMessage'> = {
  fieldsOf: dealTerms,
  read: ({ id }) => readDeal(id),
  change: (start, now, typed) => {
    const mine = editedFields(dealTerms(start), typed).map(name => [name, typed[name]])
    return changeDeal(now, { ...dealTerms(now), ...Object.fromEntries(mine), version: now.version })
  },
  differenceIn: (name, mine, theirs) => ({
    label: DEAL_LABELS[name],
    mine: formatDealField(name, mine[name]),
    theirs: formatDealField(name, theirs[name])
  })
}

export function useDealSaving(start: AdminDeal) {
  return useSaving(start, { ...SAVING, savedMessage: () => ({ title: start.name, text: ADMIN_MESSAGES.saved }) })
}
