import { useState } from 'react'
import { clashing, typedOver } from '#lib/admin/changes.ts'
import { DEAL_LABELS, termsOfDeal, writtenTerm, type DealTerms } from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/shop-error.ts'
import { changeDeal, readDeal } from '#lib/stores/admin/deals.ts'
import { notify } from '#lib/stores/toasts.ts'
import type { Difference } from '../ui/ConflictNotice.tsx'

/** Somebody else was faster, in the same terms. */
export interface Conflict {
  /** As the shop has it now. */
  now: AdminDeal
  typed: DealTerms
  differences: readonly Difference[]
}

/** Sends the terms that were typed over `start`, a deal as the form began with it. */
export function useDealSaving(start: AdminDeal) {
  const [conflict, setConflict] = useState<Conflict>()
  const before = termsOfDeal(start)

  /** Throws ShopError. */
  async function change(now: AdminDeal, typed: DealTerms, isLast = false): Promise<boolean> {
    const mine = Object.fromEntries(typedOver(before, typed).map(name => [name, typed[name]]))
    try {
      // What somebody else has changed and nobody has typed here stays as they made it.
      await changeDeal(now, { ...termsOfDeal(now), ...mine, version: now.version })
      setConflict(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'CHANGED_MEANWHILE') throw error
      const fresh = await readDeal(start.id)
      const names = clashing(before, termsOfDeal(fresh), typed)
      if (names.length === 0 && !isLast) return change(fresh, typed, true)
      setConflict({ now: fresh, typed, differences: differences(names, typed, fresh) })
      return false
    }
  }

  return {
    conflict,
    /** Answers whether it is done; a conflict is shown instead. Throws ShopError. */
    save: async (typed: DealTerms): Promise<boolean> => {
      if (typedOver(before, typed).length > 0) return change(start, typed)
      notify({ title: ADMIN_MESSAGES.productUnchanged })
      return true
    },
    /** Puts what was typed over what somebody else has saved. Throws ShopError. */
    overrule: (): Promise<boolean> => (conflict ? change(conflict.now, conflict.typed, true) : Promise.resolve(false))
  }
}

function differences(names: readonly (keyof DealTerms)[], typed: DealTerms, now: AdminDeal): Difference[] {
  return names.map(name => ({
    label: DEAL_LABELS[name],
    mine: writtenTerm(name, typed[name]),
    theirs: writtenTerm(name, now[name])
  }))
}
