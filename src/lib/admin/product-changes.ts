import type { AdminProduct, ProductChange, ProductFields } from '../contract/admin/products.ts'
import { conflictingFields, editedFields } from './changes.ts'
import { toFields, valuesOfProduct } from './product-form.ts'

type Typed = ProductFields & { stock: number }
type Name = keyof Typed

/** A product as its form would send it. */
export function fieldsOfProduct(product: AdminProduct): Typed {
  return toFields(valuesOfProduct(product), product.pictures)
}

/** The fields in which what was typed differs from what the form began with. */
export function editedProductFields(start: AdminProduct, typed: Typed): Name[] {
  return editedFields(fieldsOfProduct(start), typed)
}

/** What is sent to make of `now` what was typed over `start`; fields that nobody touched here stay as they are there. */
export function toProductChange(start: AdminProduct, now: AdminProduct, typed: Typed): ProductChange {
  const names = editedProductFields(start, typed)
  const { stock: _, ...fields } = Object.fromEntries(names.map(name => [name, typed[name]])) as Partial<Typed>
  return {
    ...fields,
    version: now.version,
    ...(names.includes('stock') && { stock: { from: now.stock, to: typed.stock } })
  }
}

/** The fields that were typed here and changed by somebody else, to something else. */
export function conflictingProductFields(start: AdminProduct, now: AdminProduct, typed: Typed): Name[] {
  return conflictingFields(fieldsOfProduct(start), fieldsOfProduct(now), typed)
}
