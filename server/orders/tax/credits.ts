import { type Paise, splitByLargestRemainder, sumPaise, toPaise } from '#lib/money.ts'
import { creditPacks, shareOf } from '#lib/tax/taxes.ts'
import type { CreditLineRow, OrderLineRow, OrderRow } from '../../platform/db/order-tables.ts'
import { deliveryTaxOf } from './invoices.ts'

const TAXES = ['cgst', 'sgst', 'igst'] as const
const AMOUNTS = ['total', 'taxable', ...TAXES] as const

export type Credit = Omit<CreditLineRow, 'order_id' | 'seq'>
type Amounts = Pick<Credit, (typeof AMOUNTS)[number]>

/** What is not credited yet, of each line and of the delivery fee at each tax rate. */
export function listCreditable(
  order: OrderRow,
  lines: readonly OrderLineRow[],
  credits: readonly CreditLineRow[]
): Credit[] {
  const fees = deliveryTaxOf(order).map(({ rate: tax_rate, ...tax }, index) => ({
    ...{ n: 0 - index, quantity: 0, tax_rate },
    ...{ ...tax, total: sumPaise(Object.values(tax)) }
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

export function subtract<Each extends Amounts>(from: Each, amounts: Amounts): Each {
  const rest = AMOUNTS.map(name => {
    const amount = from[name]
    return [name, amount === null ? null : toPaise(amount - (amounts[name] ?? 0))]
  })
  return { ...from, ...(Object.fromEntries(rest) as Amounts) }
}

/** With the same part of the taxes. The last credit takes the whole rest. */
export function creditOf(creditable: Credit, total: Paise, quantity: number): Credit {
  if (total === creditable.total) return { ...creditable, quantity }
  const share = (tax: Paise | null): Paise | null => tax && shareOf(tax, total, creditable.total)
  const [cgst, sgst, igst] = [creditable.cgst, creditable.sgst, creditable.igst].map(share)
  const taxes = { cgst: cgst ?? null, sgst: sgst ?? null, igst: igst ?? null }
  return { ...creditable, quantity, total, ...taxes, taxable: taxableOf(creditable, total, taxes) }
}

function taxableOf(
  { taxable }: Pick<Credit, 'taxable'>,
  total: Paise,
  taxes: Pick<Credit, (typeof TAXES)[number]>
): Paise | null {
  const sum = TAXES.reduce((all, name) => all + (taxes[name] ?? 0), 0)
  return taxable === null ? null : toPaise(total - sum)
}

export function spreadAmount(amount: Paise, creditable: readonly Credit[]): Credit[] {
  const open = creditable.filter(({ total }) => total > 0)
  const shares = splitByLargestRemainder(
    amount,
    open.map(({ total }) => total)
  )
  return open.flatMap((each, index) => {
    const share = shares[index] ?? toPaise(0)
    return share > 0 ? [creditOf(each, share, 0)] : []
  })
}

/** The last packs get the rest of all amounts. */
export function splitLine(
  // The column `removed` is left from versions before migration 031.
  { removed: _, ...line }: OrderLineRow & { removed?: number },
  packs: number
): { removed: OrderLineRow; rest: OrderLineRow } {
  const { quantity, coupon_discount } = line
  const share = (amount: Paise | null): Paise | null => amount && shareOf(amount, packs, quantity)
  const taxes = { cgst: share(line.cgst), sgst: share(line.sgst), igst: share(line.igst) }
  const credit = creditPacks(line, packs)
  const taxable = taxableOf(line, credit.total, taxes)
  const removed = { ...line, quantity: packs, ...credit, ...taxes, taxable }
  const rest = {
    ...subtract(line, removed),
    quantity: quantity - packs,
    coupon_discount: toPaise(coupon_discount - credit.coupon_discount)
  }
  return { removed, rest }
}
