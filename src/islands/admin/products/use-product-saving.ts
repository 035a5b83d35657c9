import { ADMIN_MESSAGES, productAddedText } from '#lib/admin/messages.ts'
import { toProductChange, extractProductFields } from '#lib/admin/product-changes.ts'
import { PRODUCT_LABELS, formatProductField } from '#lib/admin/product-form.ts'
import type { AdminProduct, ProductFields } from '#lib/contract/catalog.ts'
import { changeProduct, createProduct, readProduct } from '#lib/stores/admin/products.ts'
import { notify } from '#lib/stores/toasts.ts'
import { useSaving, type SaveRules } from '../ui/use-saving.ts'

type Fields = ProductFields & { stock: number }

const SAVE_RULES: SaveRules<AdminProduct, Fields> = {
  getFields: extractProductFields,
  read: ({ id }) => readProduct(id),
  save: (original, latest, fields) => changeProduct(original.id, toProductChange(original, latest, fields)),
  toDifference: (name, mine, theirs) => ({
    label: PRODUCT_LABELS[name],
    mine: formatProductField(name, mine[name]),
    theirs: formatProductField(name, theirs[name])
  }),
  savedMessage: ({ name }) => ({ title: name, text: ADMIN_MESSAGES.saved })
}

export function useProductSaving(original: AdminProduct | undefined, key: string) {
  const { save, ...saving } = useSaving(original, SAVE_RULES)
  return {
    ...saving,
    /** Returns false if another person has changed the same fields. Throws ShopError. */
    save: async (fields: Fields): Promise<boolean> => {
      if (original) return save(fields)
      await createProduct({ ...fields, key })
      notify({ title: productAddedText(fields.name), text: ADMIN_MESSAGES.saved })
      return true
    }
  }
}
