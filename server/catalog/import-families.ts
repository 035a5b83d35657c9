import { ADMIN_MESSAGES, familyDiffersText } from '#lib/admin/messages.ts'
import { SHARED_FIELDS } from '#lib/constants.ts'
import type { AdminProduct, ImportRow } from '#lib/contract/catalog.ts'
import { groupBy } from '#lib/group-by.ts'
import { COLUMNS, labelOf } from './product-table.ts'

interface FamilyRow {
  /** The product after the import. Undefined if the row has errors. */
  after: AdminProduct | undefined
}

type Problem = ImportRow['problems'][number]

const sizeOf = ({ quantity }: AdminProduct): string => `${quantity.value} ${quantity.unit}`

/** Pictures are not in the table: a product that joins a family gets those of the family. */
const SHARED_COLUMNS = COLUMNS.filter(({ field }) => SHARED_FIELDS.some(shared => shared === field))

/**
 * Finds the rows with a new pack size that another product of the family has, and the rows whose texts differ from those
 * of the other pack sizes. An import changes only products whose rows the preview shows, so a text that all pack sizes
 * share must be changed in the rows of all of them.
 */
export function findFamilyProblems<Row extends FamilyRow>(
  rows: readonly Row[],
  products: readonly AdminProduct[]
): Map<Row, Problem[]> {
  const imported = new Map(rows.flatMap(row => (row.after?.id ? [[row.after.id, row] as const] : [])))
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
      const isEqual = sizes.some(other => other.after !== after && sizeOf(other.after) === sizeOf(after))
      if (!row || !isEqual || (before?.family?.id === id && sizeOf(before) === sizeOf(after))) continue
      problems.set(row, [{ label: labelOf('packValue'), text: ADMIN_MESSAGES.sizeExists }])
    }
    const base = products.find(({ family }) => family?.id === id) ?? sizes[0]?.after
    for (const { label, write } of SHARED_COLUMNS) {
      if (!base || new Set(sizes.map(({ after }) => write(after))).size === 1) continue
      for (const { row, after } of sizes) {
        if (!row || write(after) === write(base)) continue
        problems.set(row, [...(problems.get(row) ?? []), { label, text: familyDiffersText(id) }])
      }
    }
  }
  return problems
}
