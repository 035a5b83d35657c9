import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminProduct, Family, ImportRow, ProductChange, ProductFields, Sale } from '#lib/contract/catalog.ts'
import { labelOf, type Cells, type Field } from './product-table.ts'

export type Problem = ImportRow['problems'][number]

export function fieldsOf(cells: Cells, product?: AdminProduct): Record<string, unknown> & { stock?: number } {
  const {
    id: _,
    packValue,
    packUnit,
    hidden,
    family,
    familyPosition,
    salePrice,
    saleFrom,
    saleUntil,
    ...fields
  } = cells
  const hasSale = [salePrice, saleFrom, saleUntil].some(cell => cell !== undefined)
  const quantity = { value: packValue ?? product?.quantity.value, unit: packUnit ?? product?.quantity.unit }
  return {
    ...fields,
    ...((packValue !== undefined || packUnit !== undefined) && { quantity }),
    ...(hasSale && { sale: toSale(cells, product) }),
    ...(hidden !== undefined && { hidden }),
    ...((family !== undefined || familyPosition !== undefined) && { family: toFamily(cells, product) })
  }
}

function toSale({ salePrice, saleFrom, saleUntil }: Cells, product?: AdminProduct): Partial<Sale> | null {
  const sale = product?.sale
  const price = salePrice === undefined ? sale?.price : salePrice
  if (price === null || price === undefined) return null
  return { price, from: saleFrom ?? sale?.from ?? '', until: saleUntil ?? sale?.until ?? '' }
}

function toFamily({ family, familyPosition }: Cells, product?: AdminProduct): Family | null {
  const id = family ?? product?.family?.id ?? ''
  return id === '' ? null : { id, position: familyPosition ?? product?.family?.position ?? 0 }
}

export function yesNoProblems(cells: Cells): Problem[] {
  const invalid = (['hidden', 'localOnly'] as const).filter(field => field in cells && cells[field] === undefined)
  return invalid.map(field => ({ label: labelOf(field), text: ADMIN_MESSAGES.importYesNo }))
}

export const SALE_TOO_HIGH: Problem = { label: labelOf('salePrice'), text: ADMIN_MESSAGES.salePriceTooHigh }

/** Column of the CSV by the path of a wrong field, or by the first part of the path. */
const FIELD_OF: Readonly<Record<string, Field>> = {
  quantity: 'packValue',
  'quantity.unit': 'packUnit',
  'family.position': 'familyPosition',
  'sale.price': 'salePrice',
  'sale.from': 'saleFrom',
  'sale.until': 'saleUntil'
}

export function toProblem({ path, message }: { path: PropertyKey[]; message: string }): Problem {
  const [first = ''] = path.map(String)
  const field = FIELD_OF[path.slice(0, 2).join('.')] ?? FIELD_OF[first] ?? (first as Field)
  return { label: labelOf(field), text: message }
}

export function toProductValues(change: ProductChange, product: AdminProduct): Partial<AdminProduct> {
  const { stock, hidden, quantity, family, version: _version, pictures: _pictures, ...fields } = change
  const definedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return {
    ...definedFields,
    ...(stock && { stock: stock.to }),
    ...(quantity && { quantity: { ...product.quantity, ...quantity } }),
    ...(family !== undefined && { family: family ?? undefined }),
    ...(hidden !== undefined && { hiddenAt: hidden ? (product.hiddenAt ?? '') : null })
  }
}

export function toPreviewProduct({
  quantity,
  family,
  sale = null,
  collections = [],
  ...draft
}: ProductFields & { stock: number }): AdminProduct {
  const unknown = { _id: '', id: '', image: '', extraImages: [], rating: 0, version: 1, createdAt: '', waiting: 0 }
  return {
    ...draft,
    ...unknown,
    sale,
    ...(family && { family }),
    collections,
    quantity: { ...quantity, type: '' },
    pictures: [],
    hiddenAt: '',
    isReferred: false
  }
}
