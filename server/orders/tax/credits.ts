import { type Paise, splitByLargestRemainder, sumPaise, toPaise } from '#lib/money.ts'
import { creditPacks, shareOf } from '#lib/tax/taxes.ts'
import type { CreditLineRow, OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import { deliveryTaxOf } from './invoices.ts'

const TAXES = ['cgst', 'sgst', 'igst'] as const
const AMOUNTS = ['total', 'taxable', ...TAXES] as const

type Credit = Omit<CreditLineRow, 'order_id' | 'seq'>
type Amounts = Pick<Credit, (typeof AMOUNTS)[number]>

interface RefundedPacks {
  credit: Paise
  /** Prices by line, credited first. The rest goes to all lines. */
  values: ReadonlyMap<number, Paise>
  packs: readonly OrderLineRow[]
  /** Whether the packs are taken off the order. */
  isOff: boolean
}

/** What a credit note has beside the lines that are taken off. */
export function listCredits(
  order: OrderRow,
  lines: readonly OrderLineRow[],
  earlier: readonly CreditLineRow[],
  { credit, values, packs, isOff }: RefundedPacks
): Credit[] {
  const parts = spreadCredit(credit, listCreditable(order, lines, earlier), values)
  return parts.flatMap(part => {
    const line = packs.find(({ n }) => n === part.n)
    if (!line || !isOff) {
      const quantity = line?.quantity ?? 0
      return part.total > 0 || quantity > 0 ? [{ ...part, quantity }] : []
    }
    // `removed_lines` credits the whole price of the packs. This line corrects it by what earlier
    // refunds have already credited of them.
    const isSame = part.total === line.total && earlier.every(({ n }) => n !== line.n)
    return isSame ? [] : [{ ...subtract(part, line), quantity: 0 }]
  })
}

/** The rest of each line, and of the delivery fee per tax rate, that can still be credited. */
function listCreditable(
  order: OrderRow,
  lines: readonly OrderLineRow[],
  credits: readonly CreditLineRow[]
): Credit[] {
  const fees = deliveryTaxOf(order).map(({ rate: tax_rate, ...tax }, index) => ({
    n: 0 - index,
    quantity: 0,
    tax_rate,
    ...tax,
    total: sumPaise(Object.values(tax))
  }))
  const noTax = { tax_rate: null, taxable: null, cgst: null, sgst: null, igst: null }
  const untaxed = { n: 0, quantity: 0, ...noTax, total: order.delivery_fee }
  const parts: Credit[] = [...lines, ...(fees.length > 0 ? fees : [untaxed])]
  return parts.map(part =>
    credits.filter(({ n }) => n === part.n).reduce<Credit>(subtract, pickCredit(part))
  )
}

function pickCredit({ n, quantity, tax_rate, total, taxable, cgst, sgst, igst }: Credit): Credit {
  return { n, quantity, tax_rate, total, taxable, cgst, sgst, igst }
}

function subtract<Each extends Amounts>(from: Each, amounts: Amounts): Each {
  const rest = AMOUNTS.map(name => {
    const amount = from[name]
    return [name, amount === null ? null : toPaise(amount - (amounts[name] ?? 0))]
  })
  return { ...from, ...(Object.fromEntries(rest) as Amounts) }
}

function spreadCredit(
  credit: Paise,
  creditable: readonly Credit[],
  values: RefundedPacks['values']
): Credit[] {
  let open: number = credit
  const ofPacks = creditable.map(({ n, total }) => {
    const own = Math.min(values.get(n) ?? 0, total, open)
    open -= own
    return toPaise(own)
  })
  const left = creditable.map(({ total }, index) => toPaise(total - (ofPacks[index] ?? 0)))
  const spread = open > 0 ? splitByLargestRemainder(toPaise(open), left) : []
  return creditable.map((each, index) =>
    creditOf(each, toPaise((ofPacks[index] ?? 0) + (spread[index] ?? 0)))
  )
}

/** With the same part of the taxes. The last credit takes the whole rest. */
function creditOf(creditable: Credit, total: Paise): Credit {
  if (total === creditable.total) return creditable
  return { ...creditable, ...takePart(creditable, total, total, creditable.total) }
}

function takePart(from: Amounts, total: Paise, part: number, whole: number): Amounts {
  const [cgst = null, sgst = null, igst = null] = TAXES.map(name => {
    const tax = from[name]
    return tax && shareOf(tax, part, whole)
  })
  const taxes = (cgst ?? 0) + (sgst ?? 0) + (igst ?? 0)
  return { total, cgst, sgst, igst, taxable: from.taxable === null ? null : toPaise(total - taxes) }
}

/** The last packs get the rest of all amounts. */
export function splitLine(
  // The column `removed` is left from versions before migration 031.
  { removed: _, ...line }: OrderLineRow & { removed?: number },
  packs: number
): { removed: OrderLineRow; rest: OrderLineRow } {
  const { quantity, coupon_discount } = line
  const credit = creditPacks(line, packs)
  const amounts = takePart(line, credit.total, packs, quantity)
  const removed = { ...line, quantity: packs, ...credit, ...amounts }
  const rest = {
    ...subtract(line, removed),
    quantity: quantity - packs,
    coupon_discount: toPaise(coupon_discount - credit.coupon_discount)
  }
  return { removed, rest }
}
