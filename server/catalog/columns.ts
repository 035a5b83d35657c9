import type { AdminProduct } from '#lib/contract/admin/products.ts'

/** A number that cannot be read is NaN. The schema then rejects it. */
export interface Cells {
  id?: string
  name?: string
  nameTamil?: string
  category?: string
  description?: string
  price?: number
  stock?: number
  packValue?: number
  packUnit?: string
  dietary?: string
  ingredients?: string[]
  shelfLife?: string
  hidden?: boolean | undefined
}

export type Field = keyof Cells

interface Column {
  field: Field
  label: string
  write: (product: AdminProduct) => string
  read: (cell: string) => Cells[Field]
}

const asText = (cell: string): string => cell
/** Reads '₹1,180.50' and '1 180.50' as 1180.5. */
const asNumber = (cell: string): number =>
  cell === '' ? NaN : Number(cell.replace(/^(₹|rs\.?)/i, '').replace(/[\s,]/g, ''))
const asEnumValue = (cell: string): string => cell.toLowerCase().replace(/\s+/g, '_')

export const COLUMNS: readonly Column[] = [
  { field: 'id', label: 'Id', write: ({ id }) => id, read: asText },
  { field: 'name', label: 'Name', write: ({ name }) => name, read: asText },
  { field: 'nameTamil', label: 'Tamil name', write: ({ nameTamil }) => nameTamil, read: asText },
  { field: 'category', label: 'Category', write: ({ category }) => category, read: asEnumValue },
  { field: 'price', label: 'Price', write: ({ price }) => price.toFixed(2), read: asNumber },
  { field: 'stock', label: 'Stock', write: ({ stock }) => String(stock), read: asNumber },
  { field: 'packValue', label: 'Pack size', write: ({ quantity }) => String(quantity.value), read: asNumber },
  { field: 'packUnit', label: 'Pack unit', write: ({ quantity }) => quantity.unit, read: asUnit },
  { field: 'dietary', label: 'Dietary', write: ({ dietary }) => dietary, read: asEnumValue },
  { field: 'ingredients', label: 'Ingredients', write: ({ ingredients }) => ingredients.join('; '), read: asList },
  { field: 'shelfLife', label: 'Shelf life', write: ({ shelfLife }) => shelfLife, read: asText },
  { field: 'description', label: 'Description', write: ({ description }) => description, read: asText },
  { field: 'hidden', label: 'Hidden', write: ({ hiddenAt }) => (hiddenAt === null ? 'no' : 'yes'), read: asYesNo }
]

export function labelOf(field: Field): string {
  return COLUMNS.find(column => column.field === field)?.label ?? field
}

function asUnit(cell: string): string {
  const unit = cell.toLowerCase()
  return unit === 'pieces' ? 'piece' : unit
}

function asList(cell: string): string[] {
  return cell
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '')
}

function asYesNo(cell: string): boolean | undefined {
  if (/^(yes|y|true|1)$/i.test(cell)) return true
  return /^(no|n|false|0)?$/i.test(cell) ? false : undefined
}
