import { sql, type SqlBool } from 'kysely'
import { toPaise, type Paise } from '#lib/money.ts'
import { creditPacks, shareOf } from '#lib/tax/taxes.ts'
import type {
  OrderChangeRow,
  OrderLineRow,
  OrderRow,
  RemovedLineRow
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
  removed: readonly RemovedLineRow[]
}

export async function findChanges(
  db: Db,
  orders: readonly OrderRow[]
): Promise<Map<string, StoredChange[]>> {
  const ids = orders.filter(order => order.changes > 0).map(({ id }) => id)
  const lines = await readInBatches(ids, batch =>
    db.selectFrom('removed_lines').selectAll().where('order_id', 'in', batch).orderBy('n').execute()
  )
  const rows = await readInBatches(ids, batch =>
    db
      .selectFrom('order_changes')
      .selectAll()
      .where('order_id', 'in', batch)
      .orderBy('seq')
      .execute()
  )
  return groupByOrder(
    rows.map(row => ({
      ...row,
      removed: lines.filter(({ order_id, seq }) => order_id === row.order_id && seq === row.seq)
    }))
  )
}

/** The last packs get the rest of all amounts. */
export function splitLine(
  // The column `removed` is left from versions before migration 031.
  { removed: _, ...line }: OrderLineRow & { removed?: number },
  packs: number
): { removed: OrderLineRow; rest: OrderLineRow } {
  const { quantity } = line
  const share = (amount: Paise | null): Paise | null => amount && shareOf(amount, packs, quantity)
  const taxes = { cgst: share(line.cgst), sgst: share(line.sgst), igst: share(line.igst) }
  const credit = creditPacks(line, packs)
  const sum = (taxes.cgst ?? 0) + (taxes.sgst ?? 0) + (taxes.igst ?? 0)
  const taxable = line.taxable === null ? null : toPaise(credit.total - sum)
  const removed = { ...line, quantity: packs, ...credit, ...taxes, taxable }
  const rest = { ...line, quantity: quantity - packs }
  for (const name of ['coupon_discount', 'total'] as const)
    rest[name] = toPaise(line[name] - removed[name])
  for (const name of ['taxable', 'cgst', 'sgst', 'igst'] as const)
    rest[name] = line[name] === null ? null : toPaise(line[name] - (removed[name] ?? 0))
  return { removed, rest }
}

export async function insertChange(
  trx: Trx,
  { removed, ...change }: StoredChange,
  rests: readonly OrderLineRow[]
): Promise<void> {
  await trx.insertInto('order_changes').values(change).execute()
  if (removed.length > 0) await trx.insertInto('removed_lines').values(removed).execute()
  for (const {
    order_id,
    n,
    quantity,
    coupon_discount,
    total,
    taxable,
    cgst,
    sgst,
    igst
  } of rests) {
    const amounts = { quantity, coupon_discount, total, taxable, cgst, sgst, igst }
    const isLine = sql<SqlBool>`order_id = ${order_id} and n = ${n}`
    if (quantity === 0) await trx.deleteFrom('order_lines').where(isLine).execute()
    else await trx.updateTable('order_lines').set(amounts).where(isLine).execute()
  }
}
