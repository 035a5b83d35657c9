import { ADMIN_MESSAGES, productAdded } from '#lib/admin/messages.ts'
import { toProductChange, fieldsOfProduct } from '#lib/admin/product-changes.ts'
import { PRODUCT_LABELS, formatProductField } from '#lib/admin/product-form.ts'
import type { AdminProduct, ProductFields } from '#lib/contract/admin/products.ts'
import { changeProduct, createProduct, readProduct } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import { useSaving, type Saving } from '../ui/use-saving.ts'

type Typed = ProductFields & { stock: number }

const SAVING: Saving<AdminProduct, Typed> = {
  fieldsOf: fieldsOfProduct,
  read: ({ id }) => readProduct(id),
  change: (start, now, typed) => changeProduct(start.id, toProductChange(start, now, typed)),
  differenceIn: (name, mine, theirs) => ({
    label: PRODUCT_LABELS[name],
    mine: formatProductField(name, mine[name]),
    theirs: formatProductField(name, theirs[name])
  }),
  savedMessage: ({ name }) => ({ title: name, text: ADMIN_MESSAGES.saved })
}

export function useProductSaving(start: AdminProduct | undefined, key: string) {
  const { save, ...saving } = useSaving(start, SAVING)
  return {
    ...saving,
    /** Returns false on a conflict. Throws ShopError. */
    save: async (typed: Typed): Promise<boolean> => {
      if (start) return save(typed)
      await createProduct({ ...typed, key })
      notify({ title: productAdded(typed.name), text: ADMIN_MESSAGES.saved })
      return true
    }
  }
}
