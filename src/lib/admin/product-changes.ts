import type { AdminProduct, ProductChange, ProductFields } from '../contract/catalog.ts'
import { findConflictingFields, findEditedFields } from './changes.ts'
import { parseProductForm, toProductFormValues } from './product-form.ts'

type ProductInput = ProductFields & { stock: number }
type FieldName = keyof ProductInput

export function extractProductFields(product: AdminProduct): ProductInput {
  return parseProductForm(toProductFormValues(product), product.pictures)
}

export function findEditedProductFields(original: AdminProduct, typed: ProductInput): FieldName[] {
  return findEditedFields(extractProductFields(original), typed)
}

export function toProductChange(original: AdminProduct, current: AdminProduct, typed: ProductInput): ProductChange {
  const names = findEditedProductFields(original, typed)
  const { stock: _, ...fields } = Object.fromEntries(names.map(name => [name, typed[name]])) as Partial<ProductInput>
  return {
    ...fields,
    version: current.version,
    ...(names.includes('stock') && { stock: { from: current.stock, to: typed.stock } })
  }
}

export function findConflictingProductFields(
  original: AdminProduct,
  current: AdminProduct,
  typed: ProductInput
): FieldName[] {
  return findConflictingFields(extractProductFields(original), extractProductFields(current), typed)
}
