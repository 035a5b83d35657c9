import { DEAL_LABELS, termsOfDeal, writtenTerm, type DealTerms } from '#lib/admin/deal-form.ts'
import { typedOver } from '#lib/admin/changes.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { changeDeal, readDeal } from '#lib/stores/admin/deals.ts'
import { useSaving, type Saving } from '../ui/use-saving.ts'

const SAVING: Omit<Saving<AdminDeal, DealTerms>, 'saved'> = {
  fieldsOf: termsOfDeal,
  read: ({ id }) => readDeal(id),
  change: (start, now, typed) => {
    const mine = typedOver(termsOfDeal(start), typed).map(name => [name, typed[name]])
    return changeDeal(now, { ...termsOfDeal(now), ...Object.fromEntries(mine), version: now.version })
  },
  differenceIn: (name, mine, theirs) => ({
    label: DEAL_LABELS[name],
    mine: writtenTerm(name, mine[name]),
    theirs: writtenTerm(name, theirs[name])
  })
}

/** Sends the terms that were typed over `start`, a deal as the form began with it. */
export function useDealSaving(start: AdminDeal) {
  return useSaving(start, { ...SAVING, saved: () => ({ title: start.name, text: ADMIN_MESSAGES.saved }) })
}
