import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { MonthQuery } from '#lib/contract/values.ts'
import { toPaise, toRupees } from '#lib/money.ts'
import { DOCUMENT_TITLES, formatSerialNumber } from '#lib/tax/invoice.ts'
import type { TaxStatus } from '#lib/contract/names.ts'
import { formatSupplyState } from '#lib/contract/states.ts'
import { toStartOfDay, toIso } from '#lib/time.ts'
import { writeCsv } from '../../catalog/csv-file.ts'
import type { Db } from '../../platform/db/tables.ts'
import { inEnglish } from '../../platform/language.ts'
import { usesTestMode } from '../../razorpay/config.ts'
import { deliveryTaxOf } from './invoices.ts'

/** Orders paid in test mode are no sales, unless the whole shop is a test shop. */
type Mode = 'test' | 'live'

interface Period {
  /** ISO, exclusive at the end. */
  from: string
  until: string
  mode: Mode
}

/** In paise. The total is what customers paid, including taxes. */
const AMOUNTS = ['taxable', 'cgst', 'sgst', 'igst', 'total'] as const

interface Row {
  status: TaxStatus
  /** Null if the order names no known state, or is older than the stored taxes. */
  state: string | null
  /** In basis points. Null unless the document is a tax invoice. */
  rate: number | null
  amounts: readonly number[]
}

/** An invoice belongs to the day of payment, a credit note to the day of cancellation. */
const SERIES = {
  PG: { label: 'Invoices', no: 'invoice_no', year: 'invoice_year', at: 'paid_at' },
  CN: { label: 'Credit notes', no: 'credit_no', year: 'credit_year', at: 'ended_at' }
} as const
type Series = keyof typeof SERIES
type ChangeTime = 'orders.paid_at' | 'orders.ended_at' | 'order_changes.changed_at'

export const taxReportRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/tax-report',
    {
      schema: {
        summary: 'Sum up the taxes of a month by rate and state, as CSV',
        querystring: MonthQuery
      }
    },
    async ({ query: { month } }, reply) => {
      const keys = await app.payments.current()
      const mode = usesTestMode(keys) ? 'test' : 'live'
      const [year = 0, number = 0] = month.split('-').map(Number)
      const next = toIso(Date.UTC(year, number, 1)).slice(0, 10)
      const period = { from: toStartOfDay(`${month}-01`), until: toStartOfDay(next), mode } as const
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="tax-${month}.csv"`)
        .send(
          // For the accountant, in English.
          await inEnglish(async () => writeCsv(await makeReport(app.database.kysely, period)))
        )
    }
  )
}

const HEADINGS = [
  ...['Documents', 'Kind', 'Place of supply', 'Rate (%)'],
  ...['Taxable value (₹)', 'CGST (₹)', 'SGST or UTGST (₹)', 'IGST (₹)', 'Total (₹)'],
  ...['Number of documents', 'First number', 'Last number']
]

async function makeReport(db: Db, period: Period): Promise<string[][]> {
  const invoices = addUp([
    ...(await sumLines(db, 'PG', period)),
    ...(await sumCredits(db, 'removed_lines', period, 'orders.paid_at'))
  ])
  const credited = addUp([
    ...(await sumLines(db, 'CN', period)),
    // A cancellation credits the rest.
    ...negate(await sumCredits(db, 'credit_lines', period, 'orders.ended_at')),
    ...(await sumCredits(db, 'removed_lines', period, 'order_changes.changed_at')),
    ...(await sumCredits(db, 'credit_lines', period, 'order_changes.changed_at'))
  ])
  const credits = negate(credited)
  const net = addUp([...invoices, ...credits])
  return [
    HEADINGS,
    ...invoices.map(row => formatRow(SERIES.PG.label, row)),
    await formatTotal(db, 'PG', period, invoices),
    ...credits.map(row => formatRow(SERIES.CN.label, row)),
    await formatTotal(db, 'CN', period, credits),
    ...net.map(row => formatRow('Net', row)),
    ['Net', 'All', '', '', ...formatAmounts(net), '', '', '']
  ]
}

function documentsOf(db: Db, series: Series, { from, until, mode }: Period) {
  const { no, at } = SERIES[series]
  return db
    .selectFrom('orders')
    .where(no, 'is not', null)
    .where(at, '>=', from)
    .where(at, '<', until)
    .where(row => row.or([row('payment_mode', '=', mode), row('payment_mode', 'is', null)]))
}

async function sumLines(db: Db, series: Series, period: Period): Promise<Row[]> {
  const rows = await documentsOf(db, series, period)
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .select(['tax_status as status', 'supply_state as state', 'tax_rate as rate'])
    .select(({ fn }) => AMOUNTS.map(name => fn.sum<number | null>(`order_lines.${name}`).as(name)))
    .groupBy(['tax_status', 'supply_state', 'tax_rate'])
    .execute()
  return addUp([...rows.map(toRow), ...(await listDeliveryFees(db, series, period))])
}

async function listDeliveryFees(db: Db, series: Series, period: Period): Promise<Row[]> {
  const fees = documentsOf(db, series, period).where('delivery_fee', '>', toPaise(0))
  const orders = await fees
    .select(['tax_status', 'supply_state', 'delivery_fee', 'delivery_tax'])
    .execute()
  return orders.flatMap(order => {
    const { tax_status, supply_state: state, delivery_fee } = order
    const status = tax_status ?? 'unregistered'
    const taxes = deliveryTaxOf(order)
    const untaxed: Row[] = [{ status, state, rate: null, amounts: [0, 0, 0, 0, delivery_fee] }]
    if (taxes.length === 0) return untaxed
    return taxes.map(({ rate, taxable, cgst, sgst, igst }): Row => {
      const total = taxable + cgst + sgst + igst
      return { status, state, rate, amounts: [taxable, cgst, sgst, igst, total] }
    })
  })
}

function changesOf(db: Db, { from, until, mode }: Period, at: ChangeTime) {
  return db
    .selectFrom('orders')
    .innerJoin('order_changes', 'order_changes.order_id', 'orders.id')
    .where(at, '>=', from)
    .where(at, '<', until)
    .where(row => row.or([row('payment_mode', '=', mode), row('payment_mode', 'is', null)]))
}

async function sumCredits(
  db: Db,
  table: 'removed_lines' | 'credit_lines',
  period: Period,
  at: ChangeTime
): Promise<Row[]> {
  const rows = await changesOf(db, period, at)
    // Both tables have the columns below.
    .innerJoin(`${table as 'removed_lines'} as line`, join =>
      join.onRef('line.order_id', '=', 'orders.id').onRef('line.seq', '=', 'order_changes.seq')
    )
    .select(['tax_status as status', 'supply_state as state', 'line.tax_rate as rate'])
    .select(({ fn }) => AMOUNTS.map(name => fn.sum<number | null>(`line.${name}`).as(name)))
    .groupBy(['tax_status', 'supply_state', 'tax_rate'])
    .execute()
  return rows.map(toRow)
}

function toRow({
  status,
  state,
  rate,
  ...sums
}: Pick<Row, 'state' | 'rate'> & { status: TaxStatus | null } & Partial<
    Record<string, unknown>
  >): Row {
  // PostgreSQL returns sums as text. The sum of no values is null.
  return {
    status: status ?? 'unregistered',
    state,
    rate,
    amounts: AMOUNTS.map(name => Number(sums[name] ?? 0))
  }
}

function addUp(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const key = [row.status, row.state ?? '', String(row.rate ?? '').padStart(5, '0')].join(' ')
    const sum = sums.get(key)
    sums.set(key, sum ? { ...row, amounts: addAmounts([sum, row]) } : row)
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function negate(rows: readonly Row[]): Row[] {
  return rows.map(row => ({ ...row, amounts: row.amounts.map(amount => 0 - amount) }))
}

function addAmounts(rows: readonly Row[]) {
  return AMOUNTS.map((_, index) =>
    rows.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0), 0)
  )
}

function formatRow(documents: string, row: Row) {
  const { status, state, rate } = row
  const place = state === null ? 'Not known' : formatSupplyState(state)
  return [
    documents,
    DOCUMENT_TITLES[status],
    place,
    rate === null ? '' : String(rate / 100),
    ...formatAmounts([row]),
    '',
    '',
    ''
  ]
}

/** Taxable value and taxes are empty unless one of the documents is a tax invoice. */
function formatAmounts(rows: readonly Row[]) {
  const hasTax = rows.some(({ status }) => status === 'regular')
  return addAmounts(rows).map((sum, index) =>
    hasTax || AMOUNTS[index] === 'total' ? toRupees(toPaise(sum)).toFixed(2) : ''
  )
}

/** An accountant must also report the numbers of the documents. */
async function formatTotal(db: Db, series: Series, period: Period, rows: readonly Row[]) {
  const { label, no, year } = SERIES[series]
  const ofOrders = await documentsOf(db, series, period)
    .select([`${year} as year`, `${no} as no`])
    .execute()
  const ofChanges =
    series === 'CN'
      ? await changesOf(db, period, 'order_changes.changed_at')
          .select(['order_changes.credit_year as year', 'order_changes.credit_no as no'])
          .where('order_changes.credit_no', 'is not', null)
          .execute()
      : []
  const numbers = [...ofOrders, ...ofChanges].map(
    document => formatSerialNumber(series, document.year, document.no) ?? ''
  )
  const ordered = numbers.toSorted()
  return [
    label,
    'All',
    '',
    '',
    ...formatAmounts(rows),
    String(numbers.length),
    ordered[0] ?? '',
    ordered.at(-1) ?? ''
  ]
}
