import { toPaise, type Paise } from '#lib/money.ts'
import { creditPacks, shareOf } from '#lib/tax/taxes.ts'
import type {
  OrderChangeLineRow,
  OrderChangeRow,
  OrderLineRow,
  OrderRow
} from '../../platform/db/order-tables.ts'
import { readInBatches } from '../../platform/db/search.ts'
import type { Db, Trx } from '../../platform/db/tables.ts'
import { groupByOrder } from '../queries.ts'

/** Contents of `order_changes.details`. Personal data are not stored, only that they changed. */
export interface ChangedDetails {
  deliveryDate?: string
  phone?: true
  address?: true
}

export interface StoredChange extends OrderChangeRow {
  lines: readonly OrderChangeLineRow[]
}

export async function findChanges(
  db: Db,
  orders: readonly OrderRow[]
): Promise<Map<string, StoredChange[]>> {
  const ids = orders.filter(order => order.changes > 0).map(({ id }) => id)
  const lines = await readInBatches(ids, batch =>
    db
      .selectFrom('order_change_lines')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('n')
      .execute()
  )
  const rows = await readInBatches(ids, batch =>
    db
      .selectFrom('order_changes')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('seq')
      .execute()
  )
  const changes = rows.map(row => {
    const own = lines.filter(({ order_id, seq }) => order_id === row.order_id && seq === row.seq)
    return { ...row, lines: own }
  })
  return groupByOrder(changes)
}

const AMOUNTS = ['coupon_discount', 'total', 'taxable', 'cgst', 'sgst', 'igst'] as const

/** Returns the line as it is after the changes. Its quantity is 0 if all packs were removed. */
export function toCurrentLine(line: OrderLineRow, changes: readonly StoredChange[]): OrderLineRow {
  const current = { ...line, quantity: line.quantity - line.removed, removed: 0 }
  for (const credited of changes.flatMap(change => change.lines).filter(({ n }) => n === line.n)) {
    for (const name of AMOUNTS)
      current[name] = subtract(current[name], credited[name]) ?? toPaise(0)
  }
  return line.taxable === null
    ? { ...current, taxable: null, cgst: null, sgst: null, igst: null }
    : current
}

function subtract(amount: Paise | null, credited: Paise | null): Paise | null {
  return amount === null || credited === null ? null : toPaise(amount - credited)
}

/**
 * Computes the credit for some packs of a current line. The last packs get the rest of all amounts.
 */
export function creditLine(
  line: OrderLineRow,
  packs: number
): Omit<OrderChangeLineRow, 'order_id' | 'seq'> {
  const { n, quantity, cgst, sgst, igst } = line
  const amounts = creditPacks(line, packs)
  const share = (amount: Paise | null): Paise | null => amount && shareOf(amount, packs, quantity)
  const taxes = { cgst: share(cgst), sgst: share(sgst), igst: share(igst) }
  const sum = (taxes.cgst ?? 0) + (taxes.sgst ?? 0) + (taxes.igst ?? 0)
  const taxable = line.taxable === null ? null : toPaise(amounts.total - sum)
  return { n, quantity: packs, ...amounts, ...taxes, taxable }
}

export async function insertChange(trx: Trx, { lines, ...change }: StoredChange): Promise<void> {
  await trx.insertInto('order_changes').values(change).execute()
  for (const line of lines) {
    await trx.insertInto('order_change_lines').values(line).execute()
    await trx
      .updateTable('order_lines')
      .set(row => ({ removed: row('removed', '+', line.quantity) }))
      .where('order_id', '=', line.order_id)
      .where('n', '=', line.n)
      .execute()
  }
}
