import { useState } from 'react'
import { ADMIN_MESSAGES, productAdded } from '#lib/admin/messages.ts'
import { changeOf, clashes, fieldsOfProduct, typedFields } from '#lib/admin/product-changes.ts'
import { PRODUCT_LABELS, writtenValue } from '#lib/admin/product-form.ts'
import type { AdminProduct, ProductFields } from '#lib/contract/admin/products.ts'
import { ShopError } from '#lib/shop-error.ts'
import { changeProduct, createProduct, readProduct } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import type { Difference } from '../ui/ConflictNotice.tsx'

type Typed = ProductFields & { stock: number }

/** Somebody else was faster, in the same fields. */
export interface Conflict {
  /** As the shop has it now. */
  now: AdminProduct
  typed: Typed
  differences: readonly Difference[]
}

/** Sends what was typed over `start`, a product as the form began with it; nothing for a new one. */
export function useProductSaving(start: AdminProduct | undefined, key: string) {
  const [conflict, setConflict] = useState<Conflict>()

  /** Throws ShopError. */
  async function change(product: AdminProduct, now: AdminProduct, typed: Typed, isLast = false): Promise<boolean> {
    try {
      await changeProduct(product.id, changeOf(product, now, typed))
      setConflict(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError) || error.code !== 'CHANGED_MEANWHILE') throw error
      const fresh = await readProduct(product.id)
      const names = clashes(product, fresh, typed)
      // What somebody else has changed and nobody has typed here stays as they made it.
      if (names.length === 0 && !isLast) return change(product, fresh, typed, true)
      setConflict({ now: fresh, typed, differences: differences(names, typed, fresh) })
      return false
    }
  }

  return {
    conflict,
    /** Answers whether it is done; a conflict is shown instead. Throws ShopError. */
    save: async (typed: Typed): Promise<boolean> => {
      if (!start) {
        await createProduct({ ...typed, key })
        notify({ title: productAdded(typed.name), text: ADMIN_MESSAGES.productSaved })
        return true
      }
      if (typedFields(start, typed).length === 0) {
        notify({ title: ADMIN_MESSAGES.productUnchanged })
        return true
      }
      if (!(await change(start, start, typed))) return false
      notify({ title: typed.name, text: ADMIN_MESSAGES.productSaved })
      return true
    },
    /** Puts what was typed over what somebody else has saved. Throws ShopError. */
    overrule: async (): Promise<boolean> => {
      if (!start || !conflict || !(await change(start, conflict.now, conflict.typed, true))) return false
      notify({ title: conflict.typed.name, text: ADMIN_MESSAGES.productSaved })
      return true
    }
  }
}

function differences(names: readonly (keyof Typed)[], typed: Typed, now: AdminProduct): Difference[] {
  const theirs = fieldsOfProduct(now)
  return names.map(name => ({
    label: PRODUCT_LABELS[name],
    mine: writtenValue(name, typed[name]),
    theirs: writtenValue(name, theirs[name])
  }))
}
