import { type Kysely, type Migration, sql } from 'kysely'
import { columns } from './columns.ts'

export const removedLines: Migration = { up }

/** Copied from the line of the order, so that a line that lost all its packs can be deleted. */
const DESCRIPTION = [
  ...['product_id', 'name', 'category', 'picture', 'pack_value', 'pack_unit', 'pack_type'],
  ...['list_price', 'percent', 'deal_id', 'price', 'hsn', 'tax_rate']
]
const TEXTS = [
  'product_id',
  'name',
  'category',
  'picture',
  'pack_unit',
  'pack_type',
  'deal_id',
  'hsn'
]
const AMOUNTS = ['quantity', 'coupon_discount', 'total', 'taxable', 'cgst', 'sgst', 'igst']

/**
 * Until here, `order_lines` stayed as invoiced, and `order_change_lines` held the packs that changes
 * had removed. Now `order_lines` hold what is ordered now.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columns(db)
  const table = db.schema
    .createTable('removed_lines')
    .addColumn('order_id', text, column => column.notNull())
    .addColumn('seq', 'bigint', column => column.notNull())
    .addColumn('n', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('removed_lines_key', ['order_id', 'seq', 'n'])
    .addForeignKeyConstraint('removed_lines_change', ['order_id', 'seq'], 'order_changes', [
      'order_id',
      'seq'
    ])
  await [...DESCRIPTION, ...AMOUNTS]
    .reduce((table, name) => table.addColumn(name, TEXTS.includes(name) ? text : 'bigint'), table)
    .execute()
  const names = [...DESCRIPTION, ...AMOUNTS].join(', ')
  const values = [...DESCRIPTION.map(name => `l.${name}`), ...AMOUNTS.map(name => `c.${name}`)]
  const removed = AMOUNTS.map(
    name => `${name} = ${name} - (select coalesce(sum(c.${name}), 0) from order_change_lines c
      where c.order_id = order_lines.order_id and c.n = order_lines.n)`
  )
  const statements = [
    `insert into removed_lines (order_id, seq, n, ${names})
      select c.order_id, c.seq, c.n, ${values.join(', ')}
      from order_change_lines c join order_lines l on l.order_id = c.order_id and l.n = c.n`,
    'delete from order_lines where removed = quantity',
    `update order_lines set removed = 0, ${removed.join(', ')} where removed > 0`,
    'delete from order_change_lines',
    'update orders set total = total - credited, credited = 0 where credited > 0'
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
