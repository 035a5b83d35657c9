import type { AdminProduct, ProductChange, ProductFields } from '../contract/admin/products.ts'
import { conflictingFields, editedFields } from './changes.ts'
import { toFields, valuesOfProduct } from './product-form.ts'

type Typed = ProductFields & { stock: number }
type Name = keyof Typed

export function fieldsOfProduct(product: AdminProduct): Typed {
  return toFields(valuesOfProduct(product), product.pictures)
}

export function editedProductFields(start: AdminProduct, typed: Typed): Name[] {
  return editedFields(fieldsOfProduct(start), typed)
}

/** The fields edited since `start`, as a change of version `now`; other fields keep the values of `now`. */
export function toProductChange(start: AdminProduct, now: AdminProduct, typed: Typed): ProductChange {
  const names = editedProductFields(start, typed)
  const { stock: _, ...fields } = Object.fromEntries(names.map(name => [name, typed[name]])) as Partial<Typed>
  return {
    ...fields,
    version: now.version,
    ...(names.includes('stock') && { stock: { from: now.stock, to: typed.stock } })
  }
}

export function conflictingProductFields(start: AdminProduct, now: AdminProduct, typed: Typed): Name[] {
  return conflictingFields(fieldsOfProduct(start), fieldsOfProduct(now), typed)
}
