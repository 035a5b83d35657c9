import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  ProductChange,
  ProductDraft,
  type AdminProduct,
  type ImportRow,
  type ProductFields
} from '#lib/contract/admin/products.ts'
import { MESSAGES } from '#lib/messages.ts'
import { COLUMNS, labelOf, type Cells, type Field } from './columns.ts'
import type { Table } from './read-table.ts'

export interface PlannedRow extends ImportRow {
  /** What would be done; nothing for a row that is wrong or changes nothing. */
  act?: { draft: Omit<ProductDraft, 'key'> } | { product: AdminProduct; change: ProductChange }
}

type Problem = ImportRow['problems'][number]

/** A key is what the schema asks for; the real one is made when the product is. */
const SOME_KEY = '00000000-0000-4000-8000-000000000000'

/** What each row would change, of the products as they are now. A row without an id is the product of its name. */
export function planImport(products: readonly AdminProduct[], { rows }: Table): PlannedRow[] {
  const seen = new Set<string>()
  return rows.map(({ line, cells }) => {
    const product = cells.id ? products.find(({ id }) => id === cells.id) : namesake(products, cells.name ?? '')
    const same = product?.id ?? `new ${cells.name?.toLowerCase()}`
    const planned =
      cells.id && !product
        ? wrongRow(cells, [{ label: labelOf('id'), text: ADMIN_MESSAGES.importUnknownId }])
        : seen.has(same)
          ? wrongRow(cells, [{ label: labelOf(cells.id ? 'id' : 'name'), text: ADMIN_MESSAGES.importDuplicate }])
          : product
            ? planChange(product, cells)
            : planNew(cells)
    seen.add(same)
    return { line, ...planned }
  })
}

type Planned = Omit<PlannedRow, 'line'>

function planChange(product: AdminProduct, cells: Cells): Planned {
  // Without a picture nobody could see it yet, whatever the table says.
  const { stock, ...fields } = fieldsOf(product.pictures.length === 0 ? { ...cells, hidden: true } : cells, product)
  const about = { ...(stock !== undefined && { stock: { from: product.stock, to: stock } }) }
  const checked = ProductChange.safeParse({ ...fields, ...about, version: product.version })
  const problems = [...unclear(cells), ...(checked.success ? [] : checked.error.issues.map(problemOf))]
  if (!checked.success || problems.length > 0) return wrongRow({ ...cells, id: product.id }, problems, product.name)
  const change = checked.data
  const after = { ...product, ...valuesOf(change, product) }
  const changes = COLUMNS.filter(({ write }) => write(product) !== write(after)).map(({ label, write }) => ({
    label,
    before: write(product),
    after: write(after)
  }))
  const row = { id: product.id, name: after.name, changes, problems: [] }
  return changes.length === 0 ? { ...row, what: 'same' } : { ...row, what: 'changed', act: { product, change } }
}

function planNew(cells: Cells): Planned {
  const fixed = { pictures: [], hidden: true, key: SOME_KEY }
  const checked = ProductDraft.safeParse({ nameTamil: '', stock: 0, ...fieldsOf(cells), ...fixed })
  const problems = [...unclear(cells), ...(checked.success ? [] : checked.error.issues.map(problemOf))]
  if (!checked.success || problems.length > 0) return wrongRow(cells, problems)
  const { key: _, ...draft } = checked.data
  const after = asProduct(draft)
  const changes = COLUMNS.filter(({ field }) => field !== 'id').map(({ label, write }) => ({
    label,
    before: '',
    after: write(after)
  }))
  return { id: '', name: draft.name, what: 'new', changes, problems: [], act: { draft } }
}

function wrongRow({ id = '', name }: Cells, problems: Problem[], otherwise = ''): Planned {
  // Several cells of a thing, such as its ingredients, may be wrong for the same reason.
  const once = problems.filter(
    ({ label, text }, at) => problems.findIndex(other => other.label === label && other.text === text) === at
  )
  return { id, name: name ?? otherwise, what: 'wrong', changes: [], problems: once }
}

/** The cells by the names of the contract; a pack of which only one half is in the table keeps the other. */
function fieldsOf(cells: Cells, product?: AdminProduct): Record<string, unknown> & { stock?: number } {
  const { id: _, packValue, packUnit, hidden, ...fields } = cells
  const quantity = { value: packValue ?? product?.quantity.value, unit: packUnit ?? product?.quantity.unit }
  return {
    ...fields,
    ...((packValue !== undefined || packUnit !== undefined) && { quantity }),
    ...(hidden !== undefined && { hidden })
  }
}

function unclear(cells: Cells): Problem[] {
  const isUnclear = 'hidden' in cells && cells.hidden === undefined
  return isUnclear ? [{ label: labelOf('hidden'), text: ADMIN_MESSAGES.importYesNo }] : []
}

const FIELD_OF: Readonly<Record<string, Field>> = { quantity: 'packValue' }

function problemOf({ path, message }: { path: PropertyKey[]; message: string }): Problem {
  const [first, second] = path.map(String)
  const field = second === 'unit' ? 'packUnit' : (FIELD_OF[first ?? ''] ?? (first as Field))
  return { label: labelOf(field), text: message.startsWith('Invalid input') ? MESSAGES.invalidField : message }
}

function namesake(products: readonly AdminProduct[], name: string): AdminProduct | undefined {
  const found = products.filter(product => product.name.toLowerCase() === name.toLowerCase())
  return found.length === 1 ? found[0] : undefined
}

/** What a product would be, as far as the table shows it. */
function valuesOf(change: ProductChange, product: AdminProduct): Partial<AdminProduct> {
  const { stock, hidden, quantity, version: _version, pictures: _pictures, ...fields } = change
  const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return {
    ...named,
    ...(stock && { stock: stock.to }),
    ...(quantity && { quantity: { ...product.quantity, ...quantity } }),
    ...(hidden !== undefined && { hiddenAt: hidden ? (product.hiddenAt ?? '') : null })
  }
}

function asProduct({ quantity, ...draft }: ProductFields & { stock: number }): AdminProduct {
  const unknown = { _id: '', id: '', image: '', extraImages: [], rating: 0, version: 1, createdAt: '' }
  return { ...draft, ...unknown, quantity: { ...quantity, type: '' }, pictures: [], hiddenAt: '', isReferred: false }
}
