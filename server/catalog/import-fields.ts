import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SHARED_FIELDS } from '#lib/constants.ts'
import type {
  AdminProduct,
  Family,
  ImportRow,
  ProductChange,
  ProductFields,
  Sale
} from '#lib/contract/catalog.ts'
import { groupBy } from '#lib/group-by.ts'
import { type Cells, COLUMNS, type Field, labelOf } from './product-table.ts'

const texts = {
  importYesNo: 'Please enter yes or no',
  familyDiffersText: (family: string) =>
    `All pack sizes of “${family}” share this. Write the same in all their rows.`
}

export type Problem = ImportRow['problems'][number]

/** Returns the fields of a request, which are not checked yet. */
export function toFields(
  cells: Cells,
  product?: AdminProduct
): Record<string, unknown> & { stock?: number } {
  const {
    id: _,
    packValue,
    packUnit,
    family,
    familyPosition,
    salePrice,
    saleFrom,
    saleUntil,
    ...fields
  } = cells
  const hasSale = [salePrice, saleFrom, saleUntil].some(cell => cell !== undefined)
  const quantity = {
    value: packValue ?? product?.quantity.value,
    unit: packUnit ?? product?.quantity.unit
  }
  return {
    ...fields,
    ...((packValue !== undefined || packUnit !== undefined) && { quantity }),
    ...(hasSale && { sale: toSale(cells, product) }),
    ...((family !== undefined || familyPosition !== undefined) && {
      family: toFamily(cells, product)
    })
  }
}

function toSale(
  { salePrice, saleFrom, saleUntil }: Cells,
  product?: AdminProduct
): Partial<Sale> | null {
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
  const invalid = (['hidden', 'localOnly'] as const).filter(
    field => field in cells && cells[field] === undefined
  )
  return invalid.map(field => ({ label: labelOf(field), text: texts.importYesNo }))
}

export const SALE_TOO_HIGH: Problem = {
  label: labelOf('salePrice'),
  text: ADMIN_MESSAGES.salePriceTooHigh
}

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

export function toProductValues(
  change: ProductChange,
  product: AdminProduct
): Partial<AdminProduct> {
  const {
    stock,
    hidden,
    quantity,
    family,
    version: _version,
    pictures: _pictures,
    ...fields
  } = change
  const definedFields = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined)
  )
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
  const unknown = {
    _id: '',
    id: '',
    image: '',
    extraImages: [],
    rating: 0,
    version: 1,
    createdAt: '',
    waiting: 0
  }
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

interface FamilyRow {
  /** The product after the import. Undefined if the row has errors. */
  after: AdminProduct | undefined
}

const sizeOf = ({ quantity }: AdminProduct): string => `${quantity.value} ${quantity.unit}`

/** Pictures are not in the table: a product that joins a family gets those of the family. */
const SHARED_COLUMNS = COLUMNS.filter(({ field }) => SHARED_FIELDS.some(shared => shared === field))

/**
 * Finds the rows with a new pack size that another product of the family has, and the rows whose
 * texts differ from those of the other pack sizes. An import changes only products whose rows the
 * preview shows, so a text that all pack sizes share must be changed in the rows of all of them.
 */
export function findFamilyProblems<Row extends FamilyRow>(
  rows: readonly Row[],
  products: readonly AdminProduct[]
): Map<Row, Problem[]> {
  const imported = new Map(
    rows.flatMap(row => (row.after?.id ? [[row.after.id, row] as const] : []))
  )
  const unlisted = products.filter(({ id }) => !imported.has(id))
  const members = [
    ...rows.flatMap(row => (row.after ? [{ row, after: row.after }] : [])),
    ...unlisted.map(after => ({ row: undefined, after }))
  ]
  const problems = new Map<Row, Problem[]>()
  for (const [id, sizes] of groupBy(members, ({ after }) => after.family?.id)) {
    if (id === undefined) continue
    for (const { row, after } of sizes) {
      const before = products.find(product => product.id === after.id)
      const isEqual = sizes.some(
        other => other.after !== after && sizeOf(other.after) === sizeOf(after)
      )
      if (!row || !isEqual || (before?.family?.id === id && sizeOf(before) === sizeOf(after)))
        continue
      problems.set(row, [{ label: labelOf('packValue'), text: ADMIN_MESSAGES.sizeExists }])
    }
    const base = products.find(({ family }) => family?.id === id) ?? sizes[0]?.after
    for (const { label, write } of SHARED_COLUMNS) {
      if (!base || new Set(sizes.map(({ after }) => write(after))).size === 1) continue
      for (const { row, after } of sizes) {
        if (!row || write(after) === write(base)) continue
        problems.set(row, [
          ...(problems.get(row) ?? []),
          { label, text: texts.familyDiffersText(id) }
        ])
      }
    }
  }
  return problems
}
